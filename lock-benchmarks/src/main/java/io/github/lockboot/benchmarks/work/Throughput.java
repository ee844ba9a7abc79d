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
import java.util.function.Consumer;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * Threads that acquire and release their locks, or read their entries, as often as they
 * can.
 */
final class Throughput implements Task {

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	private final Consumer<String> section;

	/**
	 * Create the task.
	 * @param section uses the lock, or the entry, of a name
	 */
	Throughput(Consumer<String> section) {
		this.section = section;
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

	private long count(String name, long endNanos) {
		long count = 0;
		this.section.accept(name);
		while (System.nanoTime() - endNanos < 0) {
			count++;
			this.section.accept(name);
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
