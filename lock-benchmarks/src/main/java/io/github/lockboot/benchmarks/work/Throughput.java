package io.github.lockboot.benchmarks.work;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Threads that take and give back their locks as often as they can.
 */
final class Throughput implements Task {

	private static final Runnable NOTHING = () -> {
	};

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	private final Peer peer;

	Throughput(Peer peer) {
		this.peer = peer;
	}

	@Override
	public Figures run(int... numbers) {
		int threads = numbers[0];
		int locks = numbers[1];
		long nanos = TimeUnit.MILLISECONDS.toNanos(numbers[2]);
		long cpuBefore = this.system.getProcessCpuTime();
		LongSummaryStatistics sections = count(threads, locks, nanos);
		long cpuNanos = this.system.getProcessCpuTime() - cpuBefore;
		return Figures.of("rate", sections.getSum() * 1e9 / nanos)
			.and("sections", sections.getSum())
			.and("cpu", cpuNanos / 1e3 / Math.max(1, sections.getSum()))
			.and("even", sections.getMin() / Math.max(1.0, sections.getMax()));
	}

	private LongSummaryStatistics count(int threads, int locks, long nanos) {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			CountDownLatch start = new CountDownLatch(threads);
			List<Future<Long>> counts = IntStream.range(0, threads).mapToObj((thread) -> executor.submit(() -> {
				start.countDown();
				start.await();
				return count("throughput:" + thread % locks, System.nanoTime() + nanos);
			})).toList();
			return counts.stream().mapToLong(Throughput::result).summaryStatistics();
		}
		finally {
			executor.shutdown();
		}
	}

	private long count(String lock, long endNanos) {
		long count = 0;
		this.peer.run(lock, NOTHING);
		while (System.nanoTime() - endNanos < 0) {
			count++;
			this.peer.run(lock, NOTHING);
		}
		return count;
	}

	private static long result(Future<Long> count) {
		try {
			return count.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
