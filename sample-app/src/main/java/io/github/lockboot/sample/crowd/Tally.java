package io.github.lockboot.sample.crowd;

import org.jspecify.annotations.Nullable;

/**
 * How the callers of one instance fared.
 *
 * @param succeeded how many got what they wanted
 * @param refused how many were properly turned away
 * @param failed how many met an error, or were lost with their instance
 * @param lockWaits how long they waited for locks
 * @param error the first error, or {@code null} if there was none
 */
public record Tally(int succeeded, int refused, int failed, WaitTimes lockWaits, @Nullable String error) {

	/**
	 * The tally of an instance that did not answer.
	 * @param callers how many callers it was given
	 * @param error what happened to it
	 * @return the tally
	 */
	public static Tally lost(int callers, String error) {
		return new Tally(0, 0, callers, WaitTimes.NONE, error);
	}

}
