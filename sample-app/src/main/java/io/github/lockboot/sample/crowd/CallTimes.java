package io.github.lockboot.sample.crowd;

import java.time.Duration;
import java.util.Collection;
import java.util.LongSummaryStatistics;

/**
 * How long callers waited for the results of their calls.
 *
 * @param averageMillis the average time in milliseconds
 * @param maxMillis the longest time in milliseconds
 */
public record CallTimes(long count, double averageMillis, double maxMillis) {

	static final CallTimes NONE = new CallTimes(0, 0, 0);

	static CallTimes of(Collection<Duration> times) {
		LongSummaryStatistics micros = times.stream().mapToLong((time) -> time.toNanos() / 1000).summaryStatistics();
		return times.isEmpty() ? NONE : new CallTimes(micros.getCount(), rounded(micros.getAverage() / 1000),
				rounded(micros.getMax() / 1000.0));
	}

	/** Return the times of several groups together. */
	public static CallTimes sum(Collection<CallTimes> parts) {
		long count = parts.stream().mapToLong(CallTimes::count).sum();
		double total = parts.stream().mapToDouble((part) -> part.count * part.averageMillis).sum();
		double max = parts.stream().mapToDouble(CallTimes::maxMillis).max().orElse(0);
		return new CallTimes(count, (count == 0) ? 0 : rounded(total / count), max);
	}

	private static double rounded(double millis) {
		return Math.round(millis * 10) / 10.0;
	}

}
