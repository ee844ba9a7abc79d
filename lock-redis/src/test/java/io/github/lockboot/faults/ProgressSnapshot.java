package io.github.lockboot.faults;

import java.util.Collection;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The progress of all workers at some time. Two snapshots of a period without faults show
 * whether each JVM gets its share, and whether the servers run useless commands.
 *
 * @param progress how often each thread has held each lock
 * @param requests number of scripts or statements that the servers have run
 */
record ProgressSnapshot(Map<String, Long> progress, long requests) {

	/** A JVM is starved if another one acquires a lock more often by this factor. */
	private static final int UNFAIR_RATIO = 4;

	/**
	 * Fewer acquisitions mean that the lock is not handed over, but found free by
	 * polling.
	 */
	private static final int MIN_HANDOVERS = 10;

	/** Fewer acquisitions are not enough to judge shares. */
	private static final int MIN_SAMPLE = 20;

	/** The requests of waiters and of failed attempts between two snapshots. */
	private static final int BASE_REQUESTS = 300;

	static ProgressSnapshot take(HistoryRecorder recorder, Topology topology) {
		return new ProgressSnapshot(recorder.progress(), topology.requests());
	}

	/**
	 * Compare this snapshot with an earlier one.
	 * @param jvms names of the workers
	 * @param requestsPerHold the allowed number of requests for each hold, which includes
	 * those of waiters and of failed attempts
	 * @return a sentence for each problem, by subject; empty if there is none
	 */
	Map<String, String> problemsSince(ProgressSnapshot before, Collection<String> jvms, int requestsPerHold) {
		Map<String, String> problems = new HashMap<>();
		for (String lock : LockNames.CONTENDED) {
			Map<String, Long> shares = jvms.stream()
				.collect(Collectors.toMap((jvm) -> jvm, (jvm) -> share(jvm, lock) - before.share(jvm, lock)));
			LongSummaryStatistics statistics = shares.values().stream().mapToLong(Long::longValue).summaryStatistics();
			if (statistics.getSum() < MIN_HANDOVERS) {
				problems.put("speed of " + lock, "A lock is handed over slowly: " + lock + " to " + shares);
			}
			if (statistics.getMax() >= MIN_SAMPLE && statistics.getMin() * UNFAIR_RATIO < statistics.getMax()) {
				problems.put(lock, "A JVM is starved of lock " + lock + ": " + shares);
			}
		}
		long holds = holds() - before.holds();
		long requests = this.requests - before.requests;
		if (requests > holds * requestsPerHold + BASE_REQUESTS) {
			problems.put("requests",
					"The servers run useless commands: " + requests + " requests for " + holds + " holds");
		}
		return problems;
	}

	private long share(String jvm, String lock) {
		return threadsOf(jvm).mapToLong((holder) -> this.progress.getOrDefault(holder + " " + lock, 0L)).sum();
	}

	private static Stream<String> threadsOf(String jvm) {
		return Stream.iterate(0, (index) -> index + 1).limit(Worker.THREADS).map((index) -> jvm + "/" + index);
	}

	private long holds() {
		return this.progress.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().indexOf(' ') < 0)
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

}
