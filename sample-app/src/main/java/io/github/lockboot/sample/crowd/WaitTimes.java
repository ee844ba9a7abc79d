package io.github.lockboot.sample.crowd;

import java.util.Collection;

/**
 * The times that callers waited for locks.
 *
 * @param count the number of acquired locks
 * @param averageMillis average wait for one, in milliseconds
 * @param maxMillis longest wait for one, in milliseconds
 */
public record WaitTimes(long count, double averageMillis, double maxMillis) {

	static final WaitTimes NONE = new WaitTimes(0, 0, 0);

	/**
	 * Return the wait times of several groups together.
	 * @param parts the groups
	 * @return their sum
	 */
	public static WaitTimes sum(Collection<WaitTimes> parts) {
		long count = parts.stream().mapToLong(WaitTimes::count).sum();
		double total = parts.stream().mapToDouble((part) -> part.count * part.averageMillis).sum();
		double max = parts.stream().mapToDouble(WaitTimes::maxMillis).max().orElse(0);
		return new WaitTimes(count, (count == 0) ? 0 : rounded(total / count), max);
	}

	static double rounded(double millis) {
		return Math.round(millis * 10) / 10.0;
	}

}
