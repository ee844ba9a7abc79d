package io.github.lockboot.benchmarks.peer;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * Redisson's multi-lock of three locks.
 */
final class RedissonMultiPeer implements Peer {

	private final RedissonClient redisson;

	RedissonMultiPeer(RedisAddress address) {
		this.redisson = RedissonPeer.client(address);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getMultiLock(this.redisson.getLock(lock + ":a"), this.redisson.getLock(lock + ":b"),
				this.redisson.getLock(lock + ":c"));
		taken.lock();
		return taken::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
