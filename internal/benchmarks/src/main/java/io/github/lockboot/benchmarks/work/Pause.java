package io.github.lockboot.benchmarks.work;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits without using the processor.
 */
public final class Pause {

	private Pause() {
	}

	/** Wait for a time. */
	public static void of(long nanos) {
		until(System.nanoTime() + nanos);
	}

	static void until(long endNanos) {
		while (System.nanoTime() - endNanos < 0) {
			LockSupport.parkNanos(endNanos - System.nanoTime());
		}
	}

}
