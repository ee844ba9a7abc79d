package io.github.lockboot.benchmarks.work;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * Two caches of one JVM whose reads alternate, one turn each, and the ratio of a
 * percentile of their times. Other load on the machine affects both caches, and a
 * disturbance of a few turns affects neither median.
 *
 * @param first runs some reads of the first cache, and returns their nanoseconds
 */
record AlternatingReads(IntToLongFunction first, IntToLongFunction second) implements Task {

	@Override
	public Figures run(int... numbers) {
		Map<String, Double> ratios = new TreeMap<>();
		for (int i = 0; i < numbers[0]; i++) {
			ratios.put("ratio." + i, ratio(numbers[1], numbers[2], numbers[3]));
		}
		return new Figures(ratios);
	}

	private double ratio(int turns, int reads, int percent) {
		long[] firstNanos = new long[turns];
		long[] secondNanos = new long[turns];
		for (int i = 0; i < turns; i++) {
			// the order changes, so that neither is always measured after the other
			if (i % 2 == 0) {
				firstNanos[i] = this.first.applyAsLong(reads);
			}
			secondNanos[i] = this.second.applyAsLong(reads);
			if (i % 2 != 0) {
				firstNanos[i] = this.first.applyAsLong(reads);
			}
		}
		return quantile(firstNanos, percent) / quantile(secondNanos, percent);
	}

	private static double quantile(long[] nanos, int percent) {
		Arrays.sort(nanos);
		return nanos[nanos.length * percent / 100];
	}

}
