package io.github.lockboot.sample.sale;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.cluster.Verdict;
import io.github.lockboot.sample.cluster.Verdict.Outcome;
import io.github.lockboot.sample.crowd.Tally;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The verdict on a sale, from the purchases and the stock in the database.
 */
class SaleReportTests {

	private static final String INSTANCE = "http://localhost:8080";

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					500 | 100 | 137 | 0   | 0  | DAMAGED | 37 oversold: 137 sold of 100
					10  | 100 | 10  | 98  | 0  | DAMAGED | 8 sales lost in the stock: 10 sold of 100, but the stock says that 98 are left
					2   | 3   | 2   | 2   | 0  | DAMAGED | 1 sale lost in the stock: 2 sold of 3, but the stock says that 2 are left
					500 | 100 | 100 | 0   | 0  | CORRECT | Exactly right: 100 sold of 100
					10  | 100 | 10  | 90  | 0  | CORRECT | Exactly right: 10 sold of 100, 90 left
					5   | 0   | 0   | 0   | 0  | CORRECT | Exactly right: 0 sold of 0
					30  | 100 | 20  | 80  | 10 | FAILED  | 10 of 30 buyers got an error; the stock is right: 20 sold of 100
					""")
	void verdictIsTrueForAnyInput(int buyers, int stock, int sold, int left, int failed, Outcome outcome,
			String verdict) {
		SaleReport report = report(buyers, stock, sold, left,
				new Tally(sold, buyers - sold - failed, failed, 0, lost().callTimes(), null));
		assertThat(report.verdict()).isEqualTo(new Verdict(verdict, outcome));
	}

	@Test
	void buyersOfAKilledInstanceCountOnce() {
		SaleReport report = report(30, 100, 20, 80, lost());
		assertThat(report.failed()).isEqualTo(10);
		assertThat(report.sold() + report.soldOut() + report.failed()).isEqualTo(30);
	}

	private static Tally lost() {
		return Tally.lost(30, "The instance no longer gives a sign of life");
	}

	private static SaleReport report(int buyers, int stock, int sold, int left, Tally tally) {
		List<Purchase> purchases = Collections.nCopies(sold, new Purchase(1, 1, INSTANCE));
		return SaleReport.of("none", buyers, stock, left, 1, 0, List.of(new Share(INSTANCE, buyers, tally)), purchases);
	}

}
