package io.github.lockboot.sample.stampede;

import java.util.List;

import io.github.lockboot.sample.cluster.Share;

/**
 * How a stampede went.
 *
 * @param guard what stood before the database
 * @param callers how many wanted the page
 * @param queries how many queries were run for them
 * @param failed how many callers met an error
 * @param durationMillis how long it took until all of them had the page
 * @param instances what each instance did; there, who succeeded has got the page
 * @param timeline every query in order
 */
record StampedeReport(Shelter guard, int callers, int queries, int failed, long durationMillis, List<Share> instances,
		List<QueryRun> timeline) {

	static StampedeReport of(Shelter guard, int callers, long durationMillis, List<Share> instances,
			List<QueryRun> timeline) {
		return new StampedeReport(guard, callers, timeline.size(), Share.failed(instances), durationMillis, instances,
				timeline);
	}

}
