package io.github.lockboot.benchmarks.work;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * Sums the CPU time of all threads except the current one, without the JVM's own threads
 * (compiler, collector).
 */
final class CpuWatch implements Task {

	private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	@Override
	public Figures run(int... numbers) {
		long startNanos = System.nanoTime();
		long endNanos = startNanos + TimeUnit.MILLISECONDS.toNanos(numbers[0]);
		long cpuBefore = cpuNanos();
		Pause.until(endNanos);
		return Figures.of("cpu", (cpuNanos() - cpuBefore) / (double) (System.nanoTime() - startNanos));
	}

	private long cpuNanos() {
		long self = Thread.currentThread().getId();
		return Arrays.stream(this.threads.getAllThreadIds())
			.filter((id) -> id != self)
			.map(this.threads::getThreadCpuTime)
			.filter((nanos) -> nanos > 0)
			.sum();
	}

}
