package io.github.lockboot.sample.stampede;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.cluster.Verdict;
import io.github.lockboot.sample.cluster.Verdict.Outcome;

/**
 * The report of a stampede.
 *
 * @param verdict how many queries were run
 * @param guard how the database was protected
 * @param callers the number of callers of the page
 * @param failed the number of callers with an error
 * @param durationMillis the time until all callers had the page
 * @param instances the share of each instance; a successful caller has got the page
 * @param timeline every query in order, if it was asked for
 */
record StampedeReport(@JsonUnwrapped Verdict verdict, CacheGuard guard, int callers, int queries, int failed,
		long durationMillis, List<Share> instances,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<QueryRun> timeline) {

	static StampedeReport of(CacheGuard guard, int callers, long durationMillis, List<Share> instances,
			List<QueryRun> timeline) {
		int failed = Share.failed(instances);
		return new StampedeReport(verdict(timeline.size(), callers, failed), guard, callers, timeline.size(), failed,
				durationMillis, instances, timeline);
	}

	private static Verdict verdict(int queries, int callers, int failed) {
		String figures = Verdict.count(queries, "query", "queries") + " for "
				+ Verdict.count(callers, "caller", "callers");
		if (queries > 1) {
			return new Verdict(figures, Outcome.DAMAGED);
		}
		return (failed == 0) ? new Verdict(figures, Outcome.CORRECT)
				: new Verdict(figures + "; " + failed + " got an error", Outcome.FAILED);
	}

	StampedeReport withoutTimeline() {
		return new StampedeReport(this.verdict, this.guard, this.callers, this.queries, this.failed,
				this.durationMillis, this.instances, null);
	}

}
