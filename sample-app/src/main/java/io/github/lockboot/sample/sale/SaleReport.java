package io.github.lockboot.sample.sale;

import java.util.List;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.Guard;
import io.github.lockboot.sample.crowd.WaitTimes;

/**
 * How a flash sale went.
 *
 * @param guard what kept the buyers apart
 * @param buyers how many came
 * @param stock how many pieces there were
 * @param sold how many purchases the database holds
 * @param oversold how many of them are more than there were pieces
 * @param soldOut how many buyers found nothing left
 * @param failed how many buyers met an error
 * @param durationMillis how long it took, in milliseconds
 * @param lockWaits how long buyers waited for the lock
 * @param instances what each instance did; there, who succeeded has bought
 * @param timeline every purchase in order
 */
record SaleReport(Guard guard, int buyers, int stock, int sold, int oversold, int soldOut, int failed,
		long durationMillis, WaitTimes lockWaits, List<Share> instances, List<StockPoint> timeline) {

	static SaleReport of(Guard guard, int buyers, int stock, long durationMillis, List<Share> instances,
			List<StockPoint> timeline) {
		int sold = timeline.size();
		return new SaleReport(guard, buyers, stock, sold, Math.max(0, sold - stock), Share.refused(instances),
				Share.failed(instances), durationMillis, Share.lockWaits(instances), instances, timeline);
	}

}
