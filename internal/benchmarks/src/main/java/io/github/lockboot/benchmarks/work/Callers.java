package io.github.lockboot.benchmarks.work;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Threads that all call at the same moment.
 */
final class Callers {

	private Callers() {
	}

	/**
	 * Let all threads call at the same moment.
	 * @return the time of the common start, then the end of each call, in nanoseconds of
	 * the system's clock
	 */
	static List<Long> call(int count, Runnable call) {
		ExecutorService threads = Executors.newFixedThreadPool(count);
		CountDownLatch ready = new CountDownLatch(count);
		CountDownLatch go = new CountDownLatch(1);
		try {
			List<Future<Long>> calls = IntStream.range(0, count).mapToObj((number) -> threads.submit(() -> {
				ready.countDown();
				go.await();
				call.run();
				return System.nanoTime();
			})).toList();
			ready.await();
			long begun = System.nanoTime();
			go.countDown();
			return IntStream.rangeClosed(0, count)
				.mapToObj((number) -> (number == 0) ? Long.valueOf(begun) : end(calls.get(number - 1)))
				.toList();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			threads.shutdown();
		}
	}

	private static Long end(Future<Long> call) {
		try {
			return call.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
