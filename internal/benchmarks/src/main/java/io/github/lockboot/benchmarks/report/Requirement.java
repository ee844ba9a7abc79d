package io.github.lockboot.benchmarks.report;

/**
 * A requirement, and the measured value.
 *
 * @param text the requirement
 * @param reached the measured value
 * @param met whether the value meets the requirement
 * @param reason why it may not be met; may be empty
 */
public record Requirement(String text, String reached, boolean met, String reason) {

	private Requirement(String text, String reached, boolean met) {
		this(text, reached, met, "");
	}

	/**
	 * Create a lower limit.
	 * @param text the requirement
	 * @param value the measured value
	 * @param limit the minimum
	 * @return the requirement
	 */
	public static Requirement atLeast(String text, double value, double limit) {
		return new Requirement(text, Numbers.brief(value), value >= limit);
	}

	/**
	 * Create a lower limit for the median of pairs of slices.
	 * @param text the requirement
	 * @param ratios the measured ratios
	 * @param limit the minimum of the median
	 * @return the requirement
	 */
	public static Requirement atLeast(String text, Ratios ratios, double limit) {
		return new Requirement(text, ratios.toString(), ratios.median() >= limit);
	}

	/**
	 * Create an upper limit.
	 * @param text the requirement
	 * @param value the measured value
	 * @param limit the maximum
	 * @return the requirement
	 */
	public static Requirement atMost(String text, double value, double limit) {
		return new Requirement(text, Numbers.brief(value), value <= limit);
	}

	/**
	 * Add a reason why the requirement may not be met.
	 * @param why the reason
	 * @return the requirement
	 */
	public Requirement because(String why) {
		return new Requirement(this.text, this.reached, this.met, why);
	}

	/**
	 * Write the requirement as a row of a table.
	 * @return Markdown
	 */
	public String row() {
		String no = "**no**" + (this.reason.isEmpty() ? "" : ", because " + this.reason);
		return "| " + this.text + " | " + this.reached + " | " + (this.met ? "yes" : no) + " |";
	}

}
