package io.github.lockboot.benchmarks.work;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Takes locks at a steady rate, each of another name, and looks when they were had
 * before, during and after an outage of Redis. A lock whose turn comes while all threads
 * are busy is left out.
 */
final class Recovery implements Task {

	/** As many as a web server has by default, and a few more. */
	private static final int THREADS = 256;

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(3);

	/** What a normal window has at least of the locks whose turn it is. */
	private static final double NORMAL = 0.95;

	private final Peer peer;

	Recovery(Peer peer) {
		this.peer = peer;
	}

	@Override
	public Figures run(int... numbers) {
		int rate = numbers[0];
		long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(numbers[1]);
		List<Long> had = takeUntil(rate, endNanos);
		int first = firstAfterTheLongestGap(had);
		return Figures.of("first", (first < had.size()) ? had.get(first) : endNanos)
			.and("normal", normal(had, first, rate, endNanos))
			.and("sections", had.size() - first);
	}

	private List<Long> takeUntil(int rate, long endNanos) {
		Queue<Long> had = new ConcurrentLinkedQueue<>();
		ExecutorService executor = new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.MINUTES,
				new SynchronousQueue<>());
		long next = System.nanoTime();
		for (int i = 0; next - endNanos < 0; i++) {
			String name = "recovery:" + i;
			try {
				executor.execute(() -> take(name, had));
			}
			catch (RejectedExecutionException ex) {
				// all threads wait for Redis
			}
			next += TimeUnit.SECONDS.toNanos(1) / rate;
			while (System.nanoTime() - next < 0) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
		}
		executor.shutdownNow();
		return had.stream().sorted().toList();
	}

	private void take(String name, Queue<Long> had) {
		try {
			Runnable giveBack = this.peer.take(name);
			had.add(System.nanoTime());
			giveBack.run();
		}
		catch (RuntimeException ex) {
			// not had
		}
	}

	private static int firstAfterTheLongestGap(List<Long> had) {
		int first = had.size();
		long longest = 0;
		for (int i = 1; i < had.size(); i++) {
			long gap = had.get(i) - had.get(i - 1);
			if (gap > longest) {
				longest = gap;
				first = i;
			}
		}
		return first;
	}

	/** Returns the beginning of the first window that has as many as it should. */
	private static long normal(List<Long> had, int first, int rate, long endNanos) {
		double enough = NORMAL * rate * WINDOW_NANOS / TimeUnit.SECONDS.toNanos(1);
		for (int i = first; i < had.size(); i++) {
			long begin = had.get(i);
			int last = i;
			while (last < had.size() && had.get(last) - begin < WINDOW_NANOS) {
				last++;
			}
			if (last - i >= enough) {
				return begin;
			}
		}
		return endNanos;
	}

}
