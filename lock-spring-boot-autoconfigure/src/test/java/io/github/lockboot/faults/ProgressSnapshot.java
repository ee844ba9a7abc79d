package io.github.lockboot.faults;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

/**
 * The progress of all workers at some time. Two snapshots of a period without faults show
 * whether each JVM gets its share, and whether Redis runs useless commands.
 *
 * @param progress how often each thread has held each lock
 * @param scripts number of scripts that the servers have run
 */
record ProgressSnapshot(Map<String, Long> progress, long scripts) {

	/** A JVM is starved if another one acquires a lock more often by this factor. */
	private static final int UNFAIR_RATIO = 4;

	/**
	 * Fewer acquisitions mean that the lock is not handed over, but found free by
	 * polling.
	 */
	private static final int MIN_HANDOVERS = 10;

	/** Fewer acquisitions are not enough to judge shares. */
	private static final int MIN_SAMPLE = 20;

	/** The scripts of waiters and of failed attempts between two snapshots. */
	private static final int BASE_SCRIPTS = 300;

	static ProgressSnapshot take(HistoryRecorder recorder, List<RedisServer> masters) {
		long scripts = masters.stream().map(RedisServer::commandStats).mapToLong((counts) -> scripts(counts)).sum();
		return new ProgressSnapshot(recorder.progress(), scripts);
	}

	private static long scripts(CommandCounts counts) {
		return counts.of("evalsha") + counts.of("eval");
	}

	/**
	 * Compare this snapshot with an earlier one.
	 * @param before the earlier snapshot
	 * @param jvms names of the workers
	 * @param scriptsPerHold the allowed number of scripts for each hold, which includes
	 * those of waiters and of failed attempts
	 * @return a sentence for each problem, by subject; empty if there is none
	 */
	Map<String, String> problemsSince(ProgressSnapshot before, Collection<String> jvms, int scriptsPerHold) {
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
		long scripts = this.scripts - before.scripts;
		if (scripts > holds * scriptsPerHold + BASE_SCRIPTS) {
			problems.put("scripts", "Redis runs useless commands: " + scripts + " scripts for " + holds + " holds");
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
