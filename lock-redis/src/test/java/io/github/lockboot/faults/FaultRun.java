package io.github.lockboot.faults;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.TestServer;

/**
 * A run of the suite: workers increment counters under locks while faults are injected
 * one after the other. After each fault all workers have to make progress again; at the
 * end no key, timer or thread may be left, and the history must fulfil the {@link Rule
 * rules}. The seed determines faults, victims and the operations of workers, but not how
 * threads and processes interleave.
 */
final class FaultRun {

	static final Duration LEASE = Duration.ofSeconds(1);

	static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

	/** Longer than a lease and the command timeout together. */
	static final Duration OUTAGE = Duration.ofMillis(1500);

	private static final int WORKERS = 3;

	/**
	 * Upper limit for progress, which takes seconds: a lease, a claim window, a poll of
	 * the queue.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/**
	 * Upper limit of tokens ahead of the time: holders reserve some, killed holders leave
	 * theirs.
	 */
	private static final Duration MAX_TOKEN_LEAD = LEASE.multipliedBy(3);

	private static final Duration OBSERVATION = Duration.ofSeconds(1);

	private final long seed;

	private final Random random;

	private final Topology topology;

	private final History history = new History();

	private final List<String> findings = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

	private final Set<Fault> kinds;

	private final List<Fault> pending = new ArrayList<>();

	/** The master of each lock when the masters were last recorded. */
	private final Map<String, TestServer> masters = new HashMap<>();

	private long mastersRecordedNanos;

	private Duration slowest = Duration.ZERO;

	/**
	 * Prepare a run.
	 * @param seed chooses faults, victims and what workers do
	 */
	FaultRun(Topology topology, Set<Fault> kinds, long seed) {
		this.topology = topology;
		this.kinds = kinds;
		this.seed = seed;
		this.random = new Random(seed);
	}

	/**
	 * Injects each kind of fault once, one after the other, as far as there is time.
	 * @param atMost when to stop injecting faults
	 */
	RunResult once(Duration atMost) {
		return run((start) -> !this.pending.isEmpty() && since(start).compareTo(atMost) < 0, false);
	}

	/**
	 * Injects faults over and over, some two at a time.
	 * @param duration when to stop
	 */
	RunResult soak(Duration duration) {
		return run((start) -> since(start).compareTo(duration) < 0, true);
	}

	private RunResult run(LongPredicate continues, boolean inPairs) {
		long start = System.nanoTime();
		try (RedisServer recorderRedis = RedisFixture.newServer();
				HistoryRecorder recorder = new HistoryRecorder(recorderRedis.host(), recorderRedis.port());
				Workers workers = new Workers(WORKERS, this.topology.address(), recorderRedis.port(), this.random)) {
			shuffle();
			recordMasters();
			awaitProgress(workers, recorder, "the start");
			awaitSteadyState(workers, recorder, "the start");
			long started = System.nanoTime();
			while (continues.test(started)) {
				inject(next(inPairs), workers, recorder);
			}
			awaitSteadyState(workers, recorder, "all faults");
			stopWorkers(workers, recorder);
			check(workers, recorder);
			return new RunResult(this.seed, since(start), this.history.holdCount(), this.history.losses(), this.faults,
					this.slowest, this.violations);
		}
	}

	private void shuffle() {
		this.pending.addAll(this.kinds);
		Collections.shuffle(this.pending, this.random);
	}

	private List<Fault> next(boolean inPairs) {
		if (this.pending.isEmpty()) {
			shuffle();
		}
		Fault fault = this.pending.remove(this.pending.size() - 1);
		List<Fault> others = this.kinds.stream().filter(Fault::mayFollowAnother).toList();
		boolean pair = inPairs && !fault.interruptsServers() && !others.isEmpty() && this.random.nextInt(3) == 0;
		return pair ? List.of(fault, any(others)) : List.of(fault);
	}

	private void inject(List<Fault> faults, Workers workers, HistoryRecorder recorder) {
		recordFailovers(Set.of());
		Duration length = Fault.length(faults, this.random.nextBoolean());
		faults.forEach((fault) -> this.faults.merge(fault, 1, Integer::sum));
		boolean noticed = length.compareTo(LEASE) > 0 || faults.stream().anyMatch(Fault::endsLeases);
		FaultTarget target = new FaultTarget(this.topology, workers,
				noticed ? workers.startLongHold().lock() : any(LockNames.CONTENDED));
		Set<String> locksOnSameServer = locksOnSameServer(target.lock());
		Runnable afterwards = this.topology.beforeFault();
		long before = System.nanoTime();
		Deque<Runnable> repairs = new ArrayDeque<>();
		faults.forEach((fault) -> repairs.push(fault.inject(target)));
		long injected = System.nanoTime();
		pause(length);
		if (faults.stream().anyMatch(Fault::endsLeases)) {
			this.history.add(new History.LeaseInvalidation(locksOnSameServer, before, injected));
		}
		if (faults.stream().anyMatch(Fault::stopsAllAnswers)) {
			this.history.add(new History.OutageWindow(locksOnSameServer, injected, System.nanoTime()));
		}
		repairs.forEach(Runnable::run);
		this.topology.awaitHealthy();
		if (faults.stream().anyMatch(this.topology::mayLoseLeases)) {
			this.history
				.add(History.DataLossWindow.since(locksOnSameServer, before, this.topology.losesLeasesByFailover()));
		}
		recordFailovers(faults.stream().anyMatch(Fault::changesMasters) ? locksOnSameServer : Set.of());
		if (faults.contains(Fault.OUTAGE_UNDER_LOAD)) {
			awaitSteadyState(workers, recorder, faults.toString());
		}
		awaitProgress(workers, recorder, faults + " for " + length.toMillis() + " ms");
		afterwards.run();
		checkTokensAhead();
		check(workers, recorder);
	}

	/** Check the history so far. */
	private void check(Workers workers, HistoryRecorder recorder) {
		recorder.drainTo(this.history);
		this.violations.clear();
		this.violations.addAll(this.findings);
		this.violations.addAll(workers.reports());
		Stream.of(Rule.values())
			.forEach((rule) -> rule.violations(this.history).limit(5).forEach(this.violations::add));
	}

	private <T> T any(List<T> choices) {
		return choices.get(this.random.nextInt(choices.size()));
	}

	/** Return the contended locks with the same master. */
	private Set<String> locksOnSameServer(String lock) {
		TestServer master = this.topology.masterOf(lock);
		return LockNames.CONTENDED.stream()
			.filter((other) -> this.topology.masterOf(other) == master)
			.collect(Collectors.toSet());
	}

	/**
	 * Record unexpected fail-overs: on a very busy machine masters are replaced without a
	 * fault.
	 */
	private void recordFailovers(Set<String> expected) {
		Map<String, TestServer> before = Map.copyOf(this.masters);
		long since = this.mastersRecordedNanos;
		recordMasters();
		Set<String> moved = LockNames.CONTENDED.stream()
			.filter((lock) -> !expected.contains(lock) && before.get(lock) != this.masters.get(lock))
			.collect(Collectors.toSet());
		if (!moved.isEmpty() && this.topology.losesLeasesByFailover()) {
			this.history.add(History.DataLossWindow.since(moved, since, true));
		}
	}

	private void recordMasters() {
		this.mastersRecordedNanos = System.nanoTime();
		LockNames.CONTENDED.forEach((lock) -> this.masters.put(lock, this.topology.masterOf(lock)));
	}

	/**
	 * Await that all threads acquire the contended locks again, and some thread each
	 * other lock; and that all workers are subscribed.
	 */
	private void awaitProgress(Workers workers, HistoryRecorder recorder, String after) {
		long start = System.nanoTime();
		Map<String, Long> before = recorder.progress();
		awaitOrFail(workers, recorder, "not all threads make progress after " + after, () -> {
			Map<String, Long> now = recorder.progress();
			return Stream.concat(expected(workers), LockNames.wanted())
				.allMatch((what) -> now.getOrDefault(what, 0L) > before.getOrDefault(what, 0L));
		});
		Duration duration = since(start);
		this.slowest = (duration.compareTo(this.slowest) > 0) ? duration : this.slowest;
		awaitOrFail(workers, recorder, "not all workers are subscribed after " + after,
				() -> !this.topology.pushes() || this.topology.subscribedWorkers() == workers.processes().size());
	}

	/**
	 * Observe periods without faults: each JVM has to get its share, and Redis may run no
	 * useless commands. A problem in all periods until the time for progress is over is
	 * considered permanent.
	 */
	private void awaitSteadyState(Workers workers, HistoryRecorder recorder, String after) {
		long start = System.nanoTime();
		Map<String, String> problems = problems(workers, recorder);
		while (!problems.isEmpty() && since(start).compareTo(timeout()) < 0) {
			Set<String> before = problems.keySet();
			problems = problems(workers, recorder);
			problems.keySet().retainAll(before);
		}
		if (!problems.isEmpty()) {
			System.out.println(this.topology.diagnostics() + workers.dump());
		}
		String still = ", still " + since(start).toSeconds() + " s after " + after;
		problems.values().forEach((problem) -> this.findings.add(problem + still));
	}

	private Map<String, String> problems(Workers workers, HistoryRecorder recorder) {
		ProgressSnapshot before = ProgressSnapshot.take(recorder, this.topology);
		pause(OBSERVATION);
		return ProgressSnapshot.take(recorder, this.topology)
			.problemsSince(before, workers.processes().stream().map(Workers.WorkerProcess::name).toList(),
					this.topology.requestsPerHold());
	}

	private void checkTokensAhead() {
		List<String> ahead = this.topology.tokensAhead(MAX_TOKEN_LEAD.toNanos() / 1000);
		if (!ahead.isEmpty()) {
			this.findings.add(ahead.get(0) + "; " + ahead.size() + " such tokens");
		}
	}

	private static Stream<String> expected(Workers workers) {
		return workers.threadNames()
			.flatMap((holder) -> LockNames.CONTENDED.stream().map((lock) -> holder + " " + lock));
	}

	/**
	 * Stop the workers. No timer, thread or key may be left, except tokens that expire.
	 */
	private void stopWorkers(Workers workers, HistoryRecorder recorder) {
		workers.stop();
		awaitOrFail(workers, recorder, "keys are left", () -> this.topology.leftovers().isEmpty());
		checkTokensAhead();
		workers.shutDown();
	}

	private void awaitOrFail(Workers workers, HistoryRecorder recorder, String failure, Callable<Boolean> condition) {
		try {
			await().atMost(timeout()).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			check(workers, recorder);
			throw new AssertionError(
					failure + " (seed " + this.seed + ", faults " + this.faults + ")\n"
							+ String.join("\n", this.violations) + "\n" + this.topology.diagnostics() + workers.dump(),
					ex);
		}
	}

	/** Allow more time on a busy machine. */
	private static Duration timeout() {
		OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
		double load = machine.getSystemLoadAverage() / machine.getAvailableProcessors();
		return PATIENCE.multipliedBy(Math.max(1, Math.min(6, Math.round(load))));
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20));
	}

	private static void pause(Duration time) {
		if (!time.isZero()) {
			await().pollDelay(time).atMost(time.plus(PATIENCE)).until(() -> true);
		}
	}

	private static Duration since(long nanos) {
		return Duration.ofNanos(System.nanoTime() - nanos);
	}

}
