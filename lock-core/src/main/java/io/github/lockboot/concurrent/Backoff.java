package io.github.lockboot.concurrent;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import io.github.lockboot.Internal;

/**
 * Pauses between attempts when no push announces success. The pauses grow to a limit and
 * are jittered, so that JVMs do not retry at the same time.
 */
@Internal
public final class Backoff {

	/** The longest pause, unless another one is given. */
	public static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	private static final int MOST_DOUBLINGS = 20;

	private Backoff() {
	}

	/** Return the pause after a number of earlier pauses. */
	public static long pauseNanos(int pauses, RandomGenerator random) {
		return pauseNanos(pauses, LONGEST_NANOS, random);
	}

	/** Return the pause after a number of earlier pauses, at most the longest pause. */
	public static long pauseNanos(int pauses, long longestNanos, RandomGenerator random) {
		long ceiling = Math.min(FIRST_NANOS << Math.min(pauses, MOST_DOUBLINGS), longestNanos);
		return ceiling / 2 + random.nextLong(ceiling / 2);
	}

}
