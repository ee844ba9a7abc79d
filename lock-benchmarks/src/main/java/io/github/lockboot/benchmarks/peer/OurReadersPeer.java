package io.github.lockboot.benchmarks.peer;

import io.github.lockboot.LockRequest;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Ours, shared by all who ask. Who writes takes the lock of {@link OurPeer}.
 */
final class OurReadersPeer implements Peer {

	private final RedisLockTemplate locks;

	OurReadersPeer(RedisAddress address) {
		this.locks = OurPeer.template(address);
	}

	@Override
	public Runnable take(String lock) {
		return this.locks.acquire(LockRequest.of(lock).shared())::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.execute(LockRequest.of(lock).shared(), section::run);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
