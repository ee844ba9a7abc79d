package io.github.lockboot.benchmarks.work;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.lockboot.benchmarks.cache.CachePeer;
import io.github.lockboot.benchmarks.cache.Product;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Threads that all read a missing entry at once. The times are comparable between JVMs of
 * one machine, because on Linux and macOS they are system times.
 */
record Stampede(CachePeer cache) implements Task {

	@Override
	public Figures run(int... numbers) {
		String key = "stampede:" + numbers[1];
		long loadNanos = TimeUnit.MILLISECONDS.toNanos(numbers[2]);
		AtomicInteger loads = new AtomicInteger();
		AtomicLong loaded = new AtomicLong(Long.MAX_VALUE);
		List<Long> moments = Callers.call(numbers[0], () -> this.cache.get(key, () -> {
			loads.incrementAndGet();
			Pause.of(loadNanos);
			loaded.accumulateAndGet(System.nanoTime(), Math::min);
			return Product.example(key);
		}));
		Map<String, Double> figures = new HashMap<>();
		figures.put("loads", loads.doubleValue());
		figures.put("loaded", loaded.doubleValue());
		figures.put("begun", moments.get(0).doubleValue());
		for (int i = 1; i < moments.size(); i++) {
			figures.put("end." + i, moments.get(i).doubleValue());
		}
		return new Figures(figures);
	}

}
