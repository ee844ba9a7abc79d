package io.github.lockboot.benchmarks.peer;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * Redisson's lock with its default settings, tried once.
 */
final class RedissonTryingPeer implements Peer {

	private final RedissonClient redisson;

	RedissonTryingPeer(RedisAddress address) {
		this.redisson = RedissonPeer.client(address);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getLock(lock);
		if (!taken.tryLock()) {
			throw new IllegalStateException("busy");
		}
		return taken::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
