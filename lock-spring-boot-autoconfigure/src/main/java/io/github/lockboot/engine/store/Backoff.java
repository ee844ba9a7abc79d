package io.github.lockboot.engine.store;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Pauses between tries that nobody can announce: they grow to a limit and are jittered,
 * so that JVMs do not march in step. Not thread-safe.
 */
public final class Backoff {

	private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	/** The longest pause unless said otherwise. */
	public static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final long longestNanos;

	private long ceiling = FIRST_NANOS;

	/** Create one with pauses of up to {@link #LONGEST_NANOS}. */
	public Backoff() {
		this(LONGEST_NANOS);
	}

	Backoff(long longestNanos) {
		this.longestNanos = longestNanos;
	}

	/**
	 * Return the next pause.
	 */
	public long nextNanos() {
		long pause = this.ceiling / 2 + ThreadLocalRandom.current().nextLong(this.ceiling / 2);
		this.ceiling = Math.min(this.ceiling * 2, this.longestNanos);
		return pause;
	}

	/** Begin anew with a short pause. */
	void reset() {
		this.ceiling = FIRST_NANOS;
	}

}
