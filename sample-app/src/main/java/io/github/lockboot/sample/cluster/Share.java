package io.github.lockboot.sample.cluster;

import java.util.Collection;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.github.lockboot.sample.crowd.CallTimes;
import io.github.lockboot.sample.crowd.Tally;

/**
 * The share of one instance in a run, and the results.
 *
 * @param instance URL of the instance
 * @param tally the results of these callers
 */
public record Share(String instance, int callers, @JsonUnwrapped Tally tally) {

	/**
	 * Return this share with the number of successful callers that others have counted.
	 * Callers that succeeded although their instance did not report it are no failures.
	 * @param counted the number of successful callers
	 * @return a share in which each caller counts once
	 */
	public Share withSucceeded(int counted) {
		int more = Math.max(0, counted - this.tally.succeeded());
		return new Share(this.instance, this.callers,
				new Tally(this.tally.succeeded() + more, this.tally.refused(), Math.max(0, this.tally.failed() - more),
						this.tally.retries(), this.tally.callTimes(), this.tally.error()));
	}

	/** Return the number of all callers with an error. */
	public static int failed(Collection<Share> shares) {
		return shares.stream().mapToInt((share) -> share.tally.failed()).sum();
	}

	/** Return the number of all refused callers. */
	public static int refused(Collection<Share> shares) {
		return shares.stream().mapToInt((share) -> share.tally.refused()).sum();
	}

	/** Return the number of all retries. */
	public static long retries(Collection<Share> shares) {
		return shares.stream().mapToLong((share) -> share.tally.retries()).sum();
	}

	/** Return the times of all calls. */
	public static CallTimes callTimes(Collection<Share> shares) {
		return CallTimes.sum(shares.stream().map((share) -> share.tally.callTimes()).toList());
	}

}
