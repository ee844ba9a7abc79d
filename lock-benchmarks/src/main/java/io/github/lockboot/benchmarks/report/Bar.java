package io.github.lockboot.benchmarks.report;

/**
 * What ours must reach, and what it has reached.
 *
 * @param text what is asked for
 * @param reached what was measured
 * @param met whether that is enough
 */
public record Bar(String text, String reached, boolean met) {

	/**
	 * A bar from below.
	 * @param text what is asked for
	 * @param value what was measured
	 * @param limit the least that is enough
	 * @return the bar
	 */
	public static Bar atLeast(String text, double value, double limit) {
		return new Bar(text, Numbers.brief(value), value >= limit);
	}

	/**
	 * A bar from above.
	 * @param text what is asked for
	 * @param value what was measured
	 * @param limit the most that is enough
	 * @return the bar
	 */
	public static Bar atMost(String text, double value, double limit) {
		return new Bar(text, Numbers.brief(value), value <= limit);
	}

	/**
	 * Write the bar as a row of a table.
	 * @param scenario what it belongs to
	 * @return Markdown
	 */
	public String row(String scenario) {
		return "| " + scenario + " | " + this.text + " | " + this.reached + " | " + (this.met ? "yes" : "**no**")
				+ " |";
	}

}
