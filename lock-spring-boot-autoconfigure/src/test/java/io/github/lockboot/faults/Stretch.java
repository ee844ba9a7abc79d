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
 * What was done by a moment. A stretch between two of them, without faults, shows whether
 * each JVM gets its share, and whether Redis has nothing to do but what they ask for.
 *
 * @param progress how often each actor has worked under each lock
 * @param scripts how many scripts were run
 */
record Stretch(Map<String, Long> progress, long scripts) {

	/** A JVM that gets less than this part of what another one gets is starved. */
	private static final int UNFAIR = 4;

	/** A lock that is passed on so seldom is not handed over, but found by chance. */
	private static final int SLOW = 10;

	/** Fewer are not enough to tell. */
	private static final int ENOUGH = 20;

	/** What it costs to wait, and to be refused, in a stretch. */
	private static final int SCRIPTS_ANYWAY = 300;

	static Stretch until(Ledger ledger, List<RedisServer> masters) {
		long scripts = masters.stream().map(RedisServer::commandStats).mapToLong((counts) -> scripts(counts)).sum();
		return new Stretch(ledger.progress(), scripts);
	}

	private static long scripts(CommandCounts counts) {
		return counts.of("evalsha") + counts.of("eval");
	}

	/**
	 * Look at what was done since another moment.
	 * @param before that moment
	 * @param jvms names of the workers
	 * @param scriptsPerHold what a hold may cost: others have tried for it in vain,
	 * waited and given up
	 * @return sentences on what is wrong, by what it is about; empty if nothing is
	 */
	Map<String, String> complaintsSince(Stretch before, Collection<String> jvms, int scriptsPerHold) {
		Map<String, String> complaints = new HashMap<>();
		for (String lock : LockNames.CONTENDED) {
			Map<String, Long> shares = jvms.stream()
				.collect(Collectors.toMap((jvm) -> jvm, (jvm) -> share(jvm, lock) - before.share(jvm, lock)));
			LongSummaryStatistics statistics = shares.values().stream().mapToLong(Long::longValue).summaryStatistics();
			if (statistics.getSum() < SLOW) {
				complaints.put("speed of " + lock, "A lock is handed over slowly: " + lock + " to " + shares);
			}
			if (statistics.getMax() >= ENOUGH && statistics.getMin() * UNFAIR < statistics.getMax()) {
				complaints.put(lock, "A JVM is starved of lock " + lock + ": " + shares);
			}
		}
		long holds = holds() - before.holds();
		long scripts = this.scripts - before.scripts;
		if (scripts > holds * scriptsPerHold + SCRIPTS_ANYWAY) {
			complaints.put("scripts", "Redis runs useless commands: " + scripts + " scripts for " + holds + " holds");
		}
		return complaints;
	}

	private long share(String jvm, String lock) {
		return actorsOf(jvm).mapToLong((actor) -> this.progress.getOrDefault(actor + " " + lock, 0L)).sum();
	}

	private static Stream<String> actorsOf(String jvm) {
		return Stream.iterate(0, (index) -> index + 1).limit(Worker.CLERKS).map((index) -> jvm + "/" + index);
	}

	private long holds() {
		return this.progress.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().indexOf(' ') < 0)
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

}
