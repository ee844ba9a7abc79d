package io.github.lockboot.benchmarks.report;

/**
 * A requirement, and the measured value.
 *
 * @param met whether the value meets the requirement
 * @param reason why it may not be met; may be empty
 */
public record Requirement(String text, String reached, boolean met, String reason) {

	private Requirement(String text, String reached, boolean met) {
		this(text, reached, met, "");
	}

	/** Create a lower limit. */
	public static Requirement atLeast(String text, double value, double limit) {
		return new Requirement(text, Numbers.brief(value), value >= limit);
	}

	/** Create a lower limit for the median of pairs of slices. */
	public static Requirement atLeast(String text, Ratios ratios, double limit) {
		return new Requirement(text, ratios.toString(), ratios.median() >= limit);
	}

	/** Create an upper limit. */
	public static Requirement atMost(String text, double value, double limit) {
		return new Requirement(text, Numbers.brief(value), value <= limit);
	}

	/** Add a reason why the requirement may not be met. */
	public Requirement because(String why) {
		return new Requirement(this.text, this.reached, this.met, why);
	}

	/** Write the requirement as a row of a table. */
	public String row() {
		String no = "**no**" + (this.reason.isEmpty() ? "" : ", because " + this.reason);
		return "| " + this.text + " | " + this.reached + " | " + (this.met ? "yes" : no) + " |";
	}

}
