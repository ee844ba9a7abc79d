package io.github.lockboot.sample.cluster;

import java.util.Collection;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.github.lockboot.sample.crowd.Tally;
import io.github.lockboot.sample.crowd.WaitTimes;

/**
 * The share of one instance, and its results.
 *
 * @param instance URL of the instance
 * @param callers its number of callers
 * @param tally their results
 */
public record Share(String instance, int callers, @JsonUnwrapped Tally tally) {

	/**
	 * Return the number of all callers with an error.
	 * @param shares the shares of all instances
	 * @return their sum
	 */
	public static int failed(Collection<Share> shares) {
		return shares.stream().mapToInt((share) -> share.tally.failed()).sum();
	}

	/**
	 * Return the number of all refused callers.
	 * @param shares the shares of all instances
	 * @return their sum
	 */
	public static int refused(Collection<Share> shares) {
		return shares.stream().mapToInt((share) -> share.tally.refused()).sum();
	}

	/**
	 * Return the number of all retries.
	 * @param shares the shares of all instances
	 * @return their sum
	 */
	public static long retries(Collection<Share> shares) {
		return shares.stream().mapToLong((share) -> share.tally.retries()).sum();
	}

	/**
	 * Return the lock waits of all instances.
	 * @param shares the shares of all instances
	 * @return their sum
	 */
	public static WaitTimes lockWaits(Collection<Share> shares) {
		return WaitTimes.sum(shares.stream().map((share) -> share.tally.lockWaits()).toList());
	}

}
