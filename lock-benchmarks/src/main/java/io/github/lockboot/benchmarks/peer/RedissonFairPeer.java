package io.github.lockboot.benchmarks.peer;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * Redisson's fair lock: in the order of arrival over all JVMs.
 */
final class RedissonFairPeer implements Peer {

	private final RedissonClient redisson;

	RedissonFairPeer(RedisAddress address) {
		this.redisson = RedissonPeer.client(address);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getFairLock(lock);
		taken.lock();
		return taken::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
