package io.github.lockboot.benchmarks.work;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

import io.github.lockboot.benchmarks.cache.CachePeer;
import io.github.lockboot.benchmarks.cache.Product;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * One thread that reads entries.
 */
final class CacheReads {

	private static final String KEY = "read";

	private static final String MISSING = "miss:";

	private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	private final CachePeer cache;

	/** Written so that the compiler does not remove a read. */
	private volatile long seen;

	CacheReads(CachePeer cache) {
		this.cache = cache;
	}

	Figures timed(int... numbers) {
		long[] nanos = new long[numbers[0]];
		for (int i = 0; i < nanos.length; i++) {
			long start = System.nanoTime();
			read(KEY);
			nanos[i] = System.nanoTime() - start;
		}
		Arrays.sort(nanos);
		return Figures.of("rate", nanos.length * 1e9 / Arrays.stream(nanos).sum())
			.and("p50", quantile(nanos, 0.5))
			.and("p99", quantile(nanos, 0.99))
			.and("p999", quantile(nanos, 0.999));
	}

	/** Return a quantile in microseconds. */
	private static double quantile(long[] nanos, double share) {
		return nanos[(int) Math.ceil(nanos.length * share) - 1] / 1e3;
	}

	Figures untimed(int... numbers) {
		long stock = 0;
		long start = this.threads.getCurrentThreadCpuTime();
		for (int i = 0; i < numbers[0]; i++) {
			stock += read(KEY).stock();
		}
		this.seen = stock;
		return Figures.of("nanos", (this.threads.getCurrentThreadCpuTime() - start) / (double) numbers[0]);
	}

	/** Return how long a number of reads of the entry take together. */
	long nanos(int count) {
		long stock = 0;
		long start = System.nanoTime();
		for (int i = 0; i < count; i++) {
			stock += read(KEY).stock();
		}
		long nanos = System.nanoTime() - start;
		this.seen = stock;
		return nanos;
	}

	Figures misses(int... numbers) {
		long start = System.nanoTime();
		for (int i = 0; i < numbers[0]; i++) {
			read(MISSING + (numbers[1] + i));
		}
		return Figures.of("micros", (System.nanoTime() - start) / 1e3 / numbers[0]);
	}

	private Product read(String key) {
		return this.cache.get(key, () -> Product.example(key));
	}

}
