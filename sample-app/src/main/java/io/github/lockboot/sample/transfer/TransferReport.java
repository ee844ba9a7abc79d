package io.github.lockboot.sample.transfer;

import java.util.List;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.WaitTimes;

/**
 * The report of many random transfers.
 *
 * @param guard how they excluded each other
 * @param transfers the number of attempts
 * @param refused the number of transfers without a sufficient balance
 * @param failed the number of errors
 * @param moneyBefore the sum of all balances at the beginning
 * @param moneyAfter the sum of all balances at the end
 * @param unchanged whether the two are equal
 * @param durationMillis the duration in milliseconds
 * @param lockWaits the wait times for their locks
 * @param instances the share of each instance
 */
record TransferReport(TransferGuard guard, int transfers, int refused, int failed, long moneyBefore, long moneyAfter,
		boolean unchanged, long durationMillis, WaitTimes lockWaits, List<Share> instances) {

	static TransferReport of(TransferGuard guard, int transfers, long moneyBefore, long moneyAfter, long durationMillis,
			List<Share> instances) {
		return new TransferReport(guard, transfers, Share.refused(instances), Share.failed(instances), moneyBefore,
				moneyAfter, moneyBefore == moneyAfter, durationMillis, Share.lockWaits(instances), instances);
	}

}
