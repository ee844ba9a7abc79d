package io.github.lockboot.benchmarks.peer;

import io.github.lockboot.LockRequest;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Three locks of ours at once.
 */
final class OurSeveralPeer implements Peer {

	private final RedisLockTemplate locks;

	OurSeveralPeer(RedisAddress address) {
		this.locks = OurPeer.template(address);
	}

	@Override
	public Runnable take(String lock) {
		return this.locks.acquire(three(lock))::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.execute(three(lock), section::run);
	}

	private static LockRequest three(String lock) {
		return LockRequest.allOf(lock + ":a", lock + ":b", lock + ":c");
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
