package io.github.lockboot.engine;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Pauses between tries that nobody can announce: they grow to a limit and are jittered,
 * so that JVMs do not march in step. Not thread-safe.
 */
final class Backoff {

	private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final long longestNanos;

	private long ceiling = FIRST_NANOS;

	Backoff() {
		this(LONGEST_NANOS);
	}

	Backoff(long longestNanos) {
		this.longestNanos = longestNanos;
	}

	/**
	 * Return the next pause.
	 */
	long nextNanos() {
		long pause = this.ceiling / 2 + ThreadLocalRandom.current().nextLong(this.ceiling / 2);
		this.ceiling = Math.min(this.ceiling * 2, this.longestNanos);
		return pause;
	}

	/** Begin anew with a short pause. */
	void reset() {
		this.ceiling = FIRST_NANOS;
	}

}
