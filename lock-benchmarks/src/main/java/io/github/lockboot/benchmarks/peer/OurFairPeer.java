package io.github.lockboot.benchmarks.peer;

import io.github.lockboot.LockRequest;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Ours, in strict order of arrival over all JVMs.
 */
final class OurFairPeer implements Peer {

	private final RedisLockTemplate locks;

	OurFairPeer(RedisAddress address) {
		this.locks = OurPeer.template(address);
	}

	@Override
	public Runnable take(String lock) {
		return this.locks.acquire(LockRequest.of(lock).fair(true))::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.execute(LockRequest.of(lock).fair(true), section::run);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
