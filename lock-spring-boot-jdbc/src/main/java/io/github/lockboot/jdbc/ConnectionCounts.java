package io.github.lockboot.jdbc;

import java.sql.SQLTimeoutException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.Backoff;

/**
 * How many connections of {@link LockWorkers} are open or are being opened, and when to
 * try again after a failure. Guarded by the mutex of the workers.
 */
final class ConnectionCounts {

	private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/**
	 * The time after which a server that accepts no connection counts as not replying.
	 */
	private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(2);

	private int open;

	/** The number of threads that are opening a connection. */
	private int opening;

	/** Since when connections are being opened without success or failure. */
	private long openingSinceNanos;

	/**
	 * Why the last connection could not be opened; absent once a connection was opened.
	 */
	private @Nullable Throwable failure;

	private int failures;

	private long openAgainNanos;

	/** Return whether another thread may open a connection, after the pause. */
	boolean mayOpen() {
		return this.failure == null || this.opening == 0;
	}

	/** Return the pause before the next connection is opened. */
	long pauseNanos() {
		return (this.failure != null) ? this.openAgainNanos - System.nanoTime() : 0;
	}

	void opening() {
		if (this.opening++ == 0 && this.failures == 0) {
			this.openingSinceNanos = System.nanoTime();
		}
	}

	void opened() {
		this.opening--;
		this.open++;
		this.failure = null;
		this.failures = 0;
	}

	void failed(Throwable failure) {
		this.opening--;
		if (this.failures++ > 0) { // the first connection may have been cut meanwhile
			this.failure = failure;
			this.openAgainNanos = System.nanoTime()
					+ Backoff.pauseNanos(this.failures, LONGEST_PAUSE_NANOS, ThreadLocalRandom.current());
		}
	}

	/** Note that an open connection was closed. */
	void lost() {
		this.open--;
	}

	/** Return why no task can be executed now, if the reason is known. */
	@Nullable NotExecutedException refusal() {
		if (this.open > 0) {
			return null;
		}
		Throwable failure = this.failure;
		long nanos = (this.opening > 0) ? System.nanoTime() - this.openingSinceNanos : 0;
		if (failure == null && nanos >= SLOW_NANOS) {
			failure = new SQLTimeoutException(
					"no connection was opened for " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
		}
		return (failure == null) ? null : new NotExecutedException(
				"The database of the locks can't be reached: " + failure.getMessage(), failure);
	}

}
