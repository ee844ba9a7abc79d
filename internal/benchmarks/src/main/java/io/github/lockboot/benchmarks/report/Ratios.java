package io.github.lockboot.benchmarks.report;

import java.util.List;

/**
 * The ratio of the figures of two peers, in many pairs of slices.
 *
 * @param median the median of all pairs
 */
public record Ratios(double median, double low, double high) {

	/**
	 * Summarize measurements.
	 * @param measurements the measurements, whose figures are all ratios
	 * @return median and quartiles
	 */
	public static Ratios of(List<Figures> measurements) {
		double[] sorted = measurements.stream()
			.flatMap((figures) -> figures.values().values().stream())
			.mapToDouble(Double::doubleValue)
			.sorted()
			.toArray();
		return new Ratios(quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75));
	}

	private static double quantile(double[] sorted, double share) {
		double place = share * (sorted.length - 1);
		int below = (int) place;
		int above = Math.min(below + 1, sorted.length - 1);
		return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
	}

	@Override
	public String toString() {
		return Numbers.brief(this.median) + " (" + Numbers.brief(this.low) + " to " + Numbers.brief(this.high) + ")";
	}

}
