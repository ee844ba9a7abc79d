package io.github.lockboot.benchmarks.peer;

import io.github.lockboot.redis.RedisLockTemplate;

/**
 * The semaphore of this library, whose permits are leased and renewed.
 */
final class OurSemaphorePeer implements Peer {

	/** How many callers may hold the semaphore at the same time. */
	static final int PERMITS = 4;

	private final RedisLockTemplate locks;

	OurSemaphorePeer(RedisAddress address) {
		this.locks = OurPeer.template(address.settings());
	}

	@Override
	public Runnable acquire(String lock) {
		return this.locks.semaphore(lock, PERMITS).acquire()::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.semaphore(lock, PERMITS).execute(section::run);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
