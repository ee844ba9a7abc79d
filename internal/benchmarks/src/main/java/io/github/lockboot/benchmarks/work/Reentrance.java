package io.github.lockboot.benchmarks.work;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Acquires and releases a lock that the thread already holds.
 */
final class Reentrance implements Task {

	private static final String LOCK = "reentrant";

	private static final Runnable NOTHING = () -> {
	};

	private final Peer peer;

	Reentrance(Peer peer) {
		this.peer = peer;
	}

	@Override
	public Figures run(int... numbers) {
		long[] nanos = { 0 };
		this.peer.run(LOCK, () -> nanos[0] = repeat(numbers[0]));
		return Figures.of("micros", nanos[0] / 1e3 / numbers[0]);
	}

	private long repeat(int times) {
		long start = System.nanoTime();
		for (int i = 0; i < times; i++) {
			this.peer.run(LOCK, NOTHING);
		}
		return System.nanoTime() - start;
	}

}
