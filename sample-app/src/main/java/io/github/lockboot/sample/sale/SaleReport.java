package io.github.lockboot.sample.sale;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.cluster.Verdict;
import io.github.lockboot.sample.cluster.Verdict.Outcome;
import io.github.lockboot.sample.crowd.CallTimes;

/**
 * The report of a flash sale.
 *
 * @param verdict whether the stock is right
 * @param guard how the buyers excluded each other
 * @param sold the number of purchases in the database
 * @param left the stock in the database at the end
 * @param oversold the number of purchases beyond the stock
 * @param lost the number of purchases that are missing in the stock
 * @param soldOut the number of buyers that found no stock
 * @param failed the number of buyers with an error who have not bought
 * @param retries how often a buyer tried again because the row had changed
 * @param commandsPerBuyer how many commands Redis ran for each buyer, those within
 * scripts included, and those by which the instances register
 * @param callTimes how long the buyers waited
 * @param instances the share of each instance; a successful caller has bought
 * @param timeline every purchase in order, if it was asked for
 */
record SaleReport(@JsonUnwrapped Verdict verdict, String guard, int buyers, int stock, int sold, int left, int oversold,
		int lost, int soldOut, int failed, long durationMillis, long retries, double commandsPerBuyer,
		CallTimes callTimes, List<Share> instances,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Purchase> timeline) {

	static SaleReport of(String guard, int buyers, int stock, int left, long durationMillis, long commands,
			List<Share> reported, List<Purchase> purchases) {
		List<Share> shares = reported.stream()
			.map((share) -> share.withSucceeded((int) purchases.stream()
				.filter((purchase) -> purchase.instance().equals(share.instance()))
				.count()))
			.toList();
		int sold = purchases.size();
		int failed = Share.failed(shares);
		return new SaleReport(verdict(buyers, stock, sold, left, failed), guard, buyers, stock, sold, left,
				Math.max(0, sold - stock), Math.max(0, sold - (stock - left)), Share.refused(shares), failed,
				durationMillis, Share.retries(shares), Math.max(0, Math.round(commands * 10.0 / buyers) / 10.0),
				Share.callTimes(shares), shares, purchases);
	}

	private static Verdict verdict(int buyers, int stock, int sold, int left, int failed) {
		String figures = sold + " sold of " + stock;
		int lost = sold - (stock - left);
		if (sold > stock) {
			return new Verdict((sold - stock) + " oversold: " + figures, Outcome.DAMAGED);
		}
		if (lost != 0) {
			return new Verdict(
					Verdict.count(Math.abs(lost), "sale", "sales") + ((lost > 0) ? " lost in" : " too many in")
							+ " the stock: " + figures + ", but the stock says that " + left + " are left",
					Outcome.DAMAGED);
		}
		if (failed > 0) {
			return new Verdict(failed + " of " + Verdict.count(buyers, "buyer", "buyers")
					+ " got an error; the stock is right: " + figures, Outcome.FAILED);
		}
		return new Verdict("Exactly right: " + figures + ((left > 0) ? ", " + left + " left" : ""), Outcome.CORRECT);
	}

	SaleReport withoutTimeline() {
		return new SaleReport(this.verdict, this.guard, this.buyers, this.stock, this.sold, this.left, this.oversold,
				this.lost, this.soldOut, this.failed, this.durationMillis, this.retries, this.commandsPerBuyer,
				this.callTimes, this.instances, null);
	}

}
