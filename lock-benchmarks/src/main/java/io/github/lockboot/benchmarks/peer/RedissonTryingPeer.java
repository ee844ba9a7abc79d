package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * Redisson's lock with its default settings but for the lease, tried once.
 */
final class RedissonTryingPeer implements Peer {

	private final RedissonClient redisson;

	private final long leaseMillis;

	/**
	 * Connect.
	 * @param lease the lease, or {@code null} for that of the watchdog
	 */
	RedissonTryingPeer(RedisAddress address, @Nullable Duration lease) {
		this.leaseMillis = (lease != null) ? lease.toMillis() : -1;
		this.redisson = RedissonPeer.client(address);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getLock(lock);
		try {
			if (!taken.tryLock(0, this.leaseMillis, TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException("busy");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return taken::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
