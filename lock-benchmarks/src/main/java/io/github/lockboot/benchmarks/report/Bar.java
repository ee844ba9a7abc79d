package io.github.lockboot.benchmarks.report;

/**
 * A requirement, and the measured value.
 *
 * @param text what is required
 * @param reached what was measured
 * @param met whether that is enough
 */
public record Bar(String text, String reached, boolean met) {

	/**
	 * A bar from below.
	 * @param text what is required
	 * @param value what was measured
	 * @param limit the least that is enough
	 * @return the bar
	 */
	public static Bar atLeast(String text, double value, double limit) {
		return new Bar(text, Numbers.brief(value), value >= limit);
	}

	/**
	 * A bar from below for the median of pairs of slices.
	 * @param text what is required
	 * @param ratios what was measured
	 * @param limit the least median that is enough
	 * @return the bar
	 */
	public static Bar atLeast(String text, Ratios ratios, double limit) {
		return new Bar(text, ratios.toString(), ratios.median() >= limit);
	}

	/**
	 * A bar from above.
	 * @param text what is required
	 * @param value what was measured
	 * @param limit the most that is enough
	 * @return the bar
	 */
	public static Bar atMost(String text, double value, double limit) {
		return new Bar(text, Numbers.brief(value), value <= limit);
	}

	/**
	 * Write the bar as a row of a table.
	 * @param scenario title of its scenario
	 * @return Markdown
	 */
	public String row(String scenario) {
		return "| " + scenario + " | " + this.text + " | " + this.reached + " | " + (this.met ? "yes" : "**no**")
				+ " |";
	}

}
