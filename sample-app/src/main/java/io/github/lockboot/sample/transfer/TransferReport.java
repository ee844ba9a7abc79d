package io.github.lockboot.sample.transfer;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.cluster.Verdict;
import io.github.lockboot.sample.cluster.Verdict.Outcome;
import io.github.lockboot.sample.crowd.CallTimes;

/**
 * The report of many random transfers.
 *
 * @param verdict whether the sum of the balances is right
 * @param guard how the transfers excluded each other
 * @param transfers the number of transfers attempted
 * @param refused the number of transfers without a sufficient balance
 * @param failed the number of errors
 * @param moneyBefore the sum of all balances at the beginning
 * @param moneyAfter the sum of all balances at the end
 * @param unchanged whether the two are equal
 * @param durationMillis the duration in milliseconds
 * @param callTimes how long the callers waited
 * @param instances the share of each instance
 */
record TransferReport(@JsonUnwrapped Verdict verdict, TransferGuard guard, int transfers, int refused, int failed,
		long moneyBefore, long moneyAfter, boolean unchanged, long durationMillis, CallTimes callTimes,
		List<Share> instances) {

	static TransferReport of(TransferGuard guard, int transfers, long moneyBefore, long moneyAfter, long durationMillis,
			List<Share> instances) {
		return new TransferReport(verdict(moneyAfter - moneyBefore, transfers, Share.failed(instances)), guard,
				transfers, Share.refused(instances), Share.failed(instances), moneyBefore, moneyAfter,
				moneyBefore == moneyAfter, durationMillis, Share.callTimes(instances), instances);
	}

	private static Verdict verdict(long change, int transfers, int failed) {
		if (change != 0) {
			return new Verdict(Math.abs(change) + ((change > 0) ? " appeared" : " vanished"), Outcome.DAMAGED);
		}
		return (failed == 0) ? new Verdict("The sum is unchanged", Outcome.CORRECT)
				: new Verdict("The sum is unchanged; " + failed + " of "
						+ Verdict.count(transfers, "transfer", "transfers") + " got an error", Outcome.FAILED);
	}

}
