package io.github.lockboot.benchmarks.peer;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * The write lock of Redisson's read-write lock.
 */
final class RedissonWriterPeer implements Peer {

	private final RedissonClient redisson;

	RedissonWriterPeer(RedisAddress address) {
		this.redisson = RedissonPeer.client(address);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getReadWriteLock(lock).writeLock();
		taken.lock();
		return taken::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
