package io.github.lockboot.benchmarks.work;

import java.util.concurrent.locks.LockSupport;

/**
 * A load that lasts for a time without using the processor.
 */
final class SlowLoad {

	private SlowLoad() {
	}

	static void pause(long nanos) {
		long end = System.nanoTime() + nanos;
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

}
