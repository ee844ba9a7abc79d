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
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.sun.management.OperatingSystemMXBean;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * Threads that acquire and release their locks, or read their entries, as often as they
 * can. The rate counts only sections that end in time.
 */
final class Throughput implements Task {

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	private final BiConsumer<String, Runnable> call;

	/**
	 * Create the task.
	 * @param call runs a section under the lock of a name, or reads the entry of a name
	 */
	Throughput(BiConsumer<String, Runnable> call) {
		this.call = call;
	}

	@Override
	public Figures run(int... numbers) {
		int threads = numbers[0];
		int locks = numbers[1];
		long nanos = TimeUnit.MILLISECONDS.toNanos(numbers[2]);
		long workNanos = (numbers.length > 3) ? TimeUnit.MICROSECONDS.toNanos(numbers[3]) : 0;
		long cpuBefore = this.system.getProcessCpuTime();
		List<Calls> calls = call(threads, locks, nanos, workNanos);
		long cpuNanos = this.system.getProcessCpuTime() - cpuBefore;
		LongSummaryStatistics sections = calls.stream().mapToLong((each) -> each.inTime).summaryStatistics();
		long all = calls.stream().mapToLong((each) -> each.all).sum();
		long[] waits = calls.stream().flatMapToLong((each) -> each.waits.build()).sorted().toArray();
		return Figures.of("rate", sections.getSum() * 1e9 / nanos)
			.and("sections", all)
			.and("cpu", cpuNanos / 1e3 / Math.max(1, all))
			.and("least", sections.getMin())
			.and("greatest", sections.getMax())
			.and("without", calls.stream().filter((each) -> each.inTime == 0).count())
			.and("longest", quantile(waits, 1))
			.and("even", sections.getMin() / Math.max(1.0, sections.getMax()))
			.and("p50", quantile(waits, 0.5))
			.and("p99", quantile(waits, 0.99))
			.and("p999", quantile(waits, 0.999));
	}

	/** Return a quantile in milliseconds. */
	private static double quantile(long[] waits, double share) {
		return (waits.length == 0) ? 0 : waits[(int) Math.ceil(waits.length * share) - 1] / 1e6;
	}

	private List<Calls> call(int threads, int locks, long nanos, long workNanos) {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			CountDownLatch start = new CountDownLatch(threads);
			return IntStream.range(0, threads).mapToObj((thread) -> executor.submit(() -> {
				start.countDown();
				start.await();
				Calls calls = new Calls();
				calls.repeat("throughput:" + thread % locks, System.nanoTime() + nanos, workNanos);
				return calls;
			})).toList().stream().map(Throughput::result).toList();
		}
		finally {
			executor.shutdown();
		}
	}

	private static Calls result(Future<Calls> calls) {
		try {
			return calls.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The calls of one thread. */
	private final class Calls {

		private final LongStream.Builder waits = LongStream.builder();

		private long inTime;

		private long all;

		private long askedNanos;

		private void repeat(String name, long endNanos, long workNanos) {
			Runnable section = () -> {
				this.waits.add(System.nanoTime() - this.askedNanos);
				if (workNanos > 0) {
					Pause.of(workNanos);
				}
			};
			this.askedNanos = System.nanoTime();
			while (this.askedNanos - endNanos < 0) {
				Throughput.this.call.accept(name, section);
				this.all++;
				this.askedNanos = System.nanoTime();
				if (this.askedNanos - endNanos <= 0) {
					this.inTime++;
				}
			}
		}

	}

}
