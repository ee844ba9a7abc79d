package io.github.lockboot.sample.stampede;

import java.util.List;

import io.github.lockboot.sample.cluster.Share;

/**
 * The report of a stampede.
 *
 * @param guard how the database was protected
 * @param callers the number of callers of the page
 * @param queries the number of queries for them
 * @param failed the number of callers with an error
 * @param durationMillis the time until all of them had the page
 * @param instances the share of each instance; a successful caller has got the page
 * @param timeline every query in order
 */
record StampedeReport(CacheGuard guard, int callers, int queries, int failed, long durationMillis,
		List<Share> instances, List<QueryRun> timeline) {

	static StampedeReport of(CacheGuard guard, int callers, long durationMillis, List<Share> instances,
			List<QueryRun> timeline) {
		return new StampedeReport(guard, callers, timeline.size(), Share.failed(instances), durationMillis, instances,
				timeline);
	}

}
