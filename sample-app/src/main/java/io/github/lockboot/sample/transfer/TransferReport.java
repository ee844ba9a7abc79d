package io.github.lockboot.sample.transfer;

import java.util.List;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.Guard;
import io.github.lockboot.sample.crowd.WaitTimes;

/**
 * How many random transfers went.
 *
 * @param guard what kept them apart
 * @param transfers how many were wanted
 * @param refused how many found too little money
 * @param failed how many met an error
 * @param moneyBefore the sum of all balances at the beginning
 * @param moneyAfter the sum of all balances at the end
 * @param unchanged whether the two are equal
 * @param durationMillis how long it took, in milliseconds
 * @param lockWaits how long transfers waited for their locks
 * @param instances what each instance did
 */
record TransferReport(Guard guard, int transfers, int refused, int failed, long moneyBefore, long moneyAfter,
		boolean unchanged, long durationMillis, WaitTimes lockWaits, List<Share> instances) {

	static TransferReport of(Guard guard, int transfers, long moneyBefore, long moneyAfter, long durationMillis,
			List<Share> instances) {
		return new TransferReport(guard, transfers, Share.refused(instances), Share.failed(instances), moneyBefore,
				moneyAfter, moneyBefore == moneyAfter, durationMillis, Share.lockWaits(instances), instances);
	}

}
