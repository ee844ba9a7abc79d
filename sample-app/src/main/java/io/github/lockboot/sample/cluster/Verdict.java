package io.github.lockboot.sample.cluster;

/**
 * What a run has shown, in one sentence.
 *
 * @param outcome whether the data is right
 */
public record Verdict(String verdict, Outcome outcome) {

	/**
	 * Return a number and what it counts.
	 * @return such as "1 buyer" or "2 buyers"
	 */
	public static String count(long count, String one, String many) {
		return count + " " + ((count == 1) ? one : many);
	}

	/**
	 * Whether the data is right.
	 */
	public enum Outcome {

		/** The data is right. */
		CORRECT,

		/** The data is wrong. */
		DAMAGED,

		/** The data is right, but some callers got an error. */
		FAILED

	}

}
