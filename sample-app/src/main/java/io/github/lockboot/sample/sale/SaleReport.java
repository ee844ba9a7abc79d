package io.github.lockboot.sample.sale;

import java.util.List;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.WaitTimes;

/**
 * The report of a flash sale.
 *
 * @param guard how the buyers excluded each other
 * @param buyers their number
 * @param stock the number of pieces
 * @param sold the number of purchases in the database
 * @param oversold the number of purchases beyond the stock
 * @param soldOut the number of buyers that found no stock
 * @param failed the number of buyers with an error
 * @param durationMillis the duration in milliseconds
 * @param retries how often a buyer tried again because the row had changed
 * @param lockWaits the wait times for the distributed lock
 * @param instances the share of each instance; a successful caller has bought
 * @param timeline every purchase in order
 */
record SaleReport(SaleGuard guard, int buyers, int stock, int sold, int oversold, int soldOut, int failed,
		long durationMillis, long retries, WaitTimes lockWaits, List<Share> instances, List<StockPoint> timeline) {

	static SaleReport of(SaleGuard guard, int buyers, int stock, long durationMillis, List<Share> instances,
			List<StockPoint> timeline) {
		int sold = timeline.size();
		return new SaleReport(guard, buyers, stock, sold, Math.max(0, sold - stock), Share.refused(instances),
				Share.failed(instances), durationMillis, Share.retries(instances), Share.lockWaits(instances),
				instances, timeline);
	}

}
