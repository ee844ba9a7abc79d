package io.github.lockboot.benchmarks.work;

import java.lang.management.ManagementFactory;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * Measures the heap in use after a collection.
 */
final class Heap implements Task {

	private static final int COLLECTIONS = 4;

	@Override
	public Figures run(int... numbers) {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		return Figures.of("bytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
	}

}
