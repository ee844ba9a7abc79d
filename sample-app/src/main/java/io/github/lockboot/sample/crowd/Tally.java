package io.github.lockboot.sample.crowd;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The results of the callers of one instance.
 *
 * @param succeeded the number of successful callers
 * @param refused the number of callers that were refused as intended
 * @param failed the number of callers with an error, or lost with their instance
 * @param retries how often a caller tried again after a conflict
 * @param callTimes how long the callers waited for their results
 * @param error the first error, or {@code null} if there was none
 */
public record Tally(int succeeded, int refused, int failed, long retries, CallTimes callTimes,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String error) {

	/** The tally of an instance that did not answer. */
	public static Tally lost(int callers, String error) {
		return new Tally(0, 0, callers, 0, CallTimes.NONE, error);
	}

}
