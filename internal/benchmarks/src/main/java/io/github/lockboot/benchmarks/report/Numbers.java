package io.github.lockboot.benchmarks.report;

import java.util.Locale;

/**
 * Writes numbers for tables and their titles.
 */
public final class Numbers {

	private Numbers() {
	}

	/**
	 * Return a number of things as text.
	 * @return for example {@code 1 thread} or {@code 16 threads}
	 */
	public static String count(int number, String noun) {
		return number + " " + noun + ((number > 1) ? "s" : "");
	}

	/**
	 * Write a number.
	 * @return the number with about three significant digits
	 */
	public static String brief(double value) {
		double size = Math.abs(value);
		if (size >= 100) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		return String.format(Locale.ROOT, (size >= 10) ? "%.1f" : (size >= 0.1) ? "%.2f" : "%.4f", value);
	}

}
