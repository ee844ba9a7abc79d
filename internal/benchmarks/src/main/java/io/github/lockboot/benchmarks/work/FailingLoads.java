package io.github.lockboot.benchmarks.work;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.lockboot.benchmarks.cache.CachePeer;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Threads that all read an entry at once whose load fails.
 */
record FailingLoads(CachePeer cache) implements Task {

	@Override
	public Figures run(int... numbers) {
		AtomicInteger loads = new AtomicInteger();
		List<Long> moments = Callers.call(numbers[0],
				() -> readInVain("fail:" + numbers[1], TimeUnit.MILLISECONDS.toNanos(numbers[2]), loads));
		return Figures.of("loads", loads.get()).and("millis", (Collections.max(moments) - moments.get(0)) / 1e6);
	}

	private void readInVain(String key, long loadNanos, AtomicInteger loads) {
		try {
			this.cache.get(key, () -> {
				loads.incrementAndGet();
				Pause.of(loadNanos);
				throw new UnsupportedOperationException("The database is down");
			});
		}
		catch (RuntimeException ex) {
			return;
		}
		throw new IllegalStateException("A load that always fails has returned a value");
	}

}
