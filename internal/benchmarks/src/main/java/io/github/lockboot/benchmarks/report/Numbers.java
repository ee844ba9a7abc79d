package io.github.lockboot.benchmarks.report;

import java.util.Locale;

/**
 * Writes numbers with about three significant digits.
 */
public final class Numbers {

	private Numbers() {
	}

	/**
	 * Write a number.
	 * @param value the number
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
