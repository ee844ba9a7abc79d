package io.github.lockboot.benchmarks.peer;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * The read lock of Redisson's read-write lock.
 */
final class RedissonReadersPeer implements Peer {

	private final RedissonClient redisson;

	RedissonReadersPeer(RedisAddress address) {
		this.redisson = RedissonPeer.client(address);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getReadWriteLock(lock).readLock();
		taken.lock();
		return taken::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
