package io.github.lockboot.benchmarks.work;

import java.util.concurrent.CountDownLatch;

import io.github.lockboot.benchmarks.cache.CachePeer;
import io.github.lockboot.benchmarks.cache.Product;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * One entry that one thread reads.
 */
record OneLoad(CachePeer cache) {

	private static final long ENDLESS = Long.MAX_VALUE / 2;

	Figures hang(int... numbers) {
		CountDownLatch begun = new CountDownLatch(1);
		Thread thread = new Thread(() -> this.cache.get(key(numbers), () -> {
			begun.countDown();
			Pause.of(ENDLESS);
			return Product.example("never");
		}));
		thread.setDaemon(true);
		thread.start();
		try {
			begun.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return Figures.none();
	}

	Figures read(int... numbers) {
		this.cache.get(key(numbers), () -> Product.example(key(numbers)));
		return Figures.of("nanos", System.nanoTime());
	}

	private static String key(int... numbers) {
		return "one:" + numbers[0];
	}

}
