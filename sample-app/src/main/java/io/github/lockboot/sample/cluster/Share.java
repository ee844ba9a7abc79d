package io.github.lockboot.sample.cluster;

import java.util.Collection;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.github.lockboot.sample.crowd.Tally;
import io.github.lockboot.sample.crowd.WaitTimes;

/**
 * What one instance had to do, and how it went.
 *
 * @param instance URL of the instance
 * @param callers how many callers it was given
 * @param tally how they fared
 */
public record Share(String instance, int callers, @JsonUnwrapped Tally tally) {

	/**
	 * Return how many callers met an error in all.
	 * @param shares the shares of all instances
	 * @return their sum
	 */
	public static int failed(Collection<Share> shares) {
		return shares.stream().mapToInt((share) -> share.tally.failed()).sum();
	}

	/**
	 * Return how many callers were turned away in all.
	 * @param shares the shares of all instances
	 * @return their sum
	 */
	public static int refused(Collection<Share> shares) {
		return shares.stream().mapToInt((share) -> share.tally.refused()).sum();
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
