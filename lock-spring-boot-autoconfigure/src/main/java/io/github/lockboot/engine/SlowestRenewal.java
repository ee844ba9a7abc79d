package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity.Renewal;

/**
 * Remembers the slowest renewal of the present minute and of the one before. Thread-safe.
 */
final class SlowestRenewal {

	private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final ReentrantLock mutex = new ReentrantLock();

	private long windowNanos;

	private @Nullable Renewal present;

	private @Nullable Renewal before;

	SlowestRenewal(long nowNanos) {
		this.windowNanos = nowNanos;
	}

	/**
	 * Note a renewal.
	 */
	void add(Attempt attempt, long tookNanos, long nowNanos) {
		this.mutex.lock();
		try {
			moveTo(nowNanos);
			if (this.present == null || tookNanos > this.present.took().toNanos()) {
				this.present = new Renewal(attempt.lock(), Duration.ofNanos(tookNanos),
						Duration.ofMillis(attempt.leaseMillis()));
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Return the slowest one.
	 */
	@Nullable Renewal get(long nowNanos) {
		this.mutex.lock();
		try {
			moveTo(nowNanos);
			boolean isBefore = this.present == null
					|| (this.before != null && this.before.took().compareTo(this.present.took()) > 0);
			return isBefore ? this.before : this.present;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void moveTo(long nowNanos) {
		long passed = (nowNanos - this.windowNanos) / WINDOW_NANOS;
		if (passed > 0) {
			this.before = (passed == 1) ? this.present : null;
			this.present = null;
			this.windowNanos += passed * WINDOW_NANOS;
		}
	}

}
