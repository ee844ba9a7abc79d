package io.github.lockboot.benchmarks.work;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Acquires locks at a steady rate, each with another name, and records the times of the
 * acquisitions before, during and after an outage of Redis. A lock that is due while all
 * threads are busy is skipped.
 */
record Recovery(Peer peer) implements Task {

	/** The number of threads: a few more than a web server has by default. */
	private static final int THREADS = 256;

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(3);

	/** The minimum share of the due locks in a normal window. */
	private static final double NORMAL = 0.95;

	@Override
	public Figures run(int... numbers) {
		int rate = numbers[0];
		long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(numbers[1]);
		List<Long> acquired = acquireUntil(rate, endNanos);
		int first = firstAfterTheLongestGap(acquired);
		return Figures.of("first", (first < acquired.size()) ? acquired.get(first) : endNanos)
			.and("normal", normal(acquired, first, rate, endNanos))
			.and("sections", acquired.size() - first);
	}

	private List<Long> acquireUntil(int rate, long endNanos) {
		Queue<Long> acquired = new ConcurrentLinkedQueue<>();
		ExecutorService executor = new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.MINUTES,
				new SynchronousQueue<>());
		long next = System.nanoTime();
		for (int i = 0; next - endNanos < 0; i++) {
			String name = "recovery:" + i;
			try {
				executor.execute(() -> acquire(name, acquired));
			}
			catch (RejectedExecutionException ex) {
				// all threads wait for Redis
			}
			next += TimeUnit.SECONDS.toNanos(1) / rate;
			Pause.until(next);
		}
		executor.shutdownNow();
		return acquired.stream().sorted().toList();
	}

	private void acquire(String name, Queue<Long> acquired) {
		try {
			Runnable release = this.peer.acquire(name);
			acquired.add(System.nanoTime());
			release.run();
		}
		catch (RuntimeException ex) {
			// not acquired
		}
	}

	private static int firstAfterTheLongestGap(List<Long> acquired) {
		int first = acquired.size();
		long longest = 0;
		for (int i = 1; i < acquired.size(); i++) {
			long gap = acquired.get(i) - acquired.get(i - 1);
			if (gap > longest) {
				longest = gap;
				first = i;
			}
		}
		return first;
	}

	/** Return the beginning of the first normal window. */
	private static long normal(List<Long> acquired, int first, int rate, long endNanos) {
		double enough = NORMAL * rate * WINDOW_NANOS / TimeUnit.SECONDS.toNanos(1);
		for (int i = first; i < acquired.size(); i++) {
			long begin = acquired.get(i);
			int last = i;
			while (last < acquired.size() && acquired.get(last) - begin < WINDOW_NANOS) {
				last++;
			}
			if (last - i >= enough) {
				return begin;
			}
		}
		return endNanos;
	}

}
