package io.github.lockboot.benchmarks.report;

/**
 * A requirement, and the measured value.
 *
 * @param text what is required
 * @param reached what was measured
 * @param met whether that is enough
 */
public record Requirement(String text, String reached, boolean met) {

	/**
	 * A lower limit.
	 * @param text what is required
	 * @param value what was measured
	 * @param limit the least that is enough
	 * @return the requirement
	 */
	public static Requirement atLeast(String text, double value, double limit) {
		return new Requirement(text, Numbers.brief(value), value >= limit);
	}

	/**
	 * A lower limit for the median of pairs of slices.
	 * @param text what is required
	 * @param ratios what was measured
	 * @param limit the least median that is enough
	 * @return the requirement
	 */
	public static Requirement atLeast(String text, Ratios ratios, double limit) {
		return new Requirement(text, ratios.toString(), ratios.median() >= limit);
	}

	/**
	 * An upper limit.
	 * @param text what is required
	 * @param value what was measured
	 * @param limit the most that is enough
	 * @return the requirement
	 */
	public static Requirement atMost(String text, double value, double limit) {
		return new Requirement(text, Numbers.brief(value), value <= limit);
	}

	/**
	 * Write the requirement as a row of a table.
	 * @return Markdown
	 */
	public String row() {
		return "| " + this.text + " | " + this.reached + " | " + (this.met ? "yes" : "**no**") + " |";
	}

}
