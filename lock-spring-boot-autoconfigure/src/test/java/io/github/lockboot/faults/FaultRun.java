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
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

/**
 * A run: workers count under locks while one fault after the other is injected; after
 * each of them everybody has to make progress again, and at the end nothing may be left
 * and the history must keep the {@link Rule rules}. The seed chooses faults, victims and
 * what workers do, though not how threads and processes interleave.
 */
final class FaultRun {

	static final Duration LEASE = Duration.ofSeconds(1);

	static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

	/** Longer than a lease, and than what may have gone on before it began. */
	static final Duration OUTAGE = Duration.ofMillis(1500);

	private static final int WORKERS = 3;

	/**
	 * All that is promised takes seconds: a lease, a claim window, a look at the queue.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/**
	 * Reserved by those who hold a lock, or left by those who have died: and so twice.
	 */
	private static final Duration LEAD_OF_TOKENS = LEASE.multipliedBy(3);

	private static final Duration STRETCH = Duration.ofSeconds(1);

	/** What is wrong in as many stretches one after the other goes on for ever. */
	private static final int STRETCHES = 5;

	private final long seed;

	private final Random random;

	private final Topology topology;

	private final History history = new History();

	private final List<String> findings = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

	private final Set<Fault> kinds;

	private final List<Fault> deck = new ArrayList<>();

	/** Who kept each lock when this was looked at last. */
	private final Map<String, RedisServer> masters = new HashMap<>();

	private long mastersSeenNanos;

	private final List<String> workerOptions;

	private Duration slowest = Duration.ZERO;

	/**
	 * Prepare a run.
	 * @param topology the servers
	 * @param kinds the kinds of faults
	 * @param seed chooses faults, victims and what workers do
	 */
	FaultRun(Topology topology, Set<Fault> kinds, long seed) {
		this(topology, kinds, seed, List.of());
	}

	/**
	 * Prepare a run.
	 * @param topology the servers
	 * @param kinds the kinds of faults
	 * @param seed chooses faults, victims and what workers do
	 * @param workerOptions options of the workers' JVMs
	 */
	FaultRun(Topology topology, Set<Fault> kinds, long seed, List<String> workerOptions) {
		this.workerOptions = workerOptions;
		this.topology = topology;
		this.kinds = kinds;
		this.seed = seed;
		this.random = new Random(seed);
	}

	/**
	 * Injects each kind of fault once, one after the other, as far as there is time.
	 * @param atMost when to stop injecting faults
	 * @return the figures
	 */
	Figures once(Duration atMost) {
		return run((start) -> !this.deck.isEmpty() && since(start).compareTo(atMost) < 0, false);
	}

	/**
	 * Injects faults over and over, some two at a time.
	 * @param duration when to stop
	 * @return the figures
	 */
	Figures soak(Duration duration) {
		return run((start) -> since(start).compareTo(duration) < 0, true);
	}

	/**
	 * Injects faults over and over, until a rule is violated.
	 * @param finding what is to be said of it
	 * @param atMost when to stop nevertheless
	 * @return the figures
	 */
	Figures untilViolated(Pattern finding, Duration atMost) {
		return run((start) -> this.violations.stream().noneMatch((violation) -> finding.matcher(violation).find())
				&& since(start).compareTo(atMost) < 0, false);
	}

	private Figures run(LongPredicate goesOn, boolean inPairs) {
		long start = System.nanoTime();
		try (RedisServer books = RedisFixture.newServer();
				Ledger ledger = new Ledger(books.host(), books.port());
				Crew crew = new Crew(WORKERS, this.workerOptions, this.topology.address(), books.port(), this.random)) {
			shuffle();
			seeMasters();
			awaitProgress(crew, ledger, "the start");
			awaitCalm(crew, ledger, "the start");
			long calm = System.nanoTime();
			while (goesOn.test(calm)) {
				inject(next(inPairs), crew, ledger);
			}
			awaitCalm(crew, ledger, "all faults");
			settle(crew, ledger);
			look(crew, ledger);
			long overwritten = LockNames.CONTENDED.stream().mapToLong(ledger::overwritten).sum();
			return new Figures(this.seed, since(start), this.history.holds(), this.history.losses(),
					this.history.refusals(), overwritten, this.faults, this.slowest, this.violations);
		}
	}

	private void shuffle() {
		this.deck.addAll(this.kinds);
		Collections.shuffle(this.deck, this.random);
	}

	private List<Fault> next(boolean inPairs) {
		if (this.deck.isEmpty()) {
			shuffle();
		}
		Fault fault = this.deck.remove(this.deck.size() - 1);
		List<Fault> silencing = this.kinds.stream().filter(Fault::mayComeSecond).toList();
		boolean pair = inPairs && !fault.silencesRedis() && !silencing.isEmpty() && this.random.nextInt(3) == 0;
		return pair ? List.of(fault, any(silencing)) : List.of(fault);
	}

	private void inject(List<Fault> strikes, Crew crew, Ledger ledger) {
		Duration length = Fault.length(strikes, this.random.nextBoolean());
		strikes.forEach((fault) -> this.faults.merge(fault, 1, Integer::sum));
		boolean noticed = length.compareTo(LEASE) > 0 || strikes.stream().anyMatch(Fault::endsLeases);
		Scene scene = new Scene(this.topology, crew, noticed ? crew.letLinger().lock() : any(LockNames.CONTENDED));
		Set<String> neighbours = neighbours(scene.lock());
		long before = System.nanoTime();
		Deque<Runnable> healings = new ArrayDeque<>();
		strikes.forEach((fault) -> healings.push(fault.strike(scene)));
		long struck = System.nanoTime();
		letPass(length);
		if (strikes.stream().anyMatch(Fault::endsLeases)) {
			this.history.add(new Gone(neighbours, before, struck));
		}
		if (strikes.stream().anyMatch(Fault::silencesAll)) {
			this.history.add(new Silence(neighbours, struck, System.nanoTime()));
		}
		healings.forEach(Runnable::run);
		this.topology.awaitHealthy();
		if (strikes.stream().anyMatch(this.topology::forgets)) {
			this.history.add(Amnesia.since(neighbours, before));
		}
		lookForFailovers(strikes.stream().anyMatch(Fault::changesMasters) ? neighbours : Set.of());
		if (strikes.contains(Fault.OUTAGE_UNDER_LOAD)) {
			awaitCalm(crew, ledger, strikes.toString());
		}
		awaitProgress(crew, ledger, strikes + " for " + length.toMillis() + " ms");
		this.history.add(new Disorder(before, System.nanoTime(), !strikes.stream().allMatch(Fault::keepsOrderInJvms)));
		this.topology.masters().forEach(this::lookForTokensAhead);
		look(crew, ledger);
	}

	/** What happened so far may violate a rule. */
	private void look(Crew crew, Ledger ledger) {
		ledger.drainTo(this.history);
		this.violations.clear();
		this.violations.addAll(this.findings);
		this.violations.addAll(crew.reports());
		Rule.all().forEach((rule) -> rule.violations(this.history).limit(5).forEach(this.violations::add));
	}

	private <T> T any(List<T> choices) {
		return choices.get(this.random.nextInt(choices.size()));
	}

	/** The locks that lie on the same server. */
	private Set<String> neighbours(String lock) {
		RedisServer master = this.topology.masterOf(Scene.key(lock));
		return LockNames.CONTENDED.stream()
			.filter((other) -> this.topology.masterOf(Scene.key(other)) == master)
			.collect(Collectors.toSet());
	}

	/** On a machine that is too busy servers replace each other without any harm. */
	private void lookForFailovers(Set<String> expected) {
		Map<String, RedisServer> before = Map.copyOf(this.masters);
		long since = this.mastersSeenNanos;
		seeMasters();
		Set<String> moved = LockNames.CONTENDED.stream()
			.filter((lock) -> !expected.contains(lock) && before.get(lock) != this.masters.get(lock))
			.collect(Collectors.toSet());
		if (!moved.isEmpty()) {
			this.history.add(Amnesia.since(moved, since));
			this.history.add(new Disorder(since, System.nanoTime(), true));
		}
	}

	private void seeMasters() {
		this.mastersSeenNanos = System.nanoTime();
		LockNames.CONTENDED.forEach((lock) -> this.masters.put(lock, this.topology.masterOf(Scene.key(lock))));
	}

	/** Everybody gets what all want again, somebody all else; and pushes wake again. */
	private void awaitProgress(Crew crew, Ledger ledger, String after) {
		long start = System.nanoTime();
		Map<String, Long> before = ledger.progress();
		awaited(crew, ledger, "not everybody makes progress after " + after, () -> {
			Map<String, Long> now = ledger.progress();
			return Stream.concat(expected(crew), LockNames.wanted())
				.allMatch((what) -> now.getOrDefault(what, 0L) > before.getOrDefault(what, 0L));
		});
		Duration took = since(start);
		this.slowest = (took.compareTo(this.slowest) > 0) ? took : this.slowest;
		awaited(crew, ledger, "not everybody listens to pushes after " + after,
				() -> !this.topology.pushes() || this.topology.listeners() == crew.members().size());
	}

	/** In a while without faults each JVM gets its share, and no command is useless. */
	private void awaitCalm(Crew crew, Ledger ledger, String after) {
		Map<String, String> complaints = complaints(crew, ledger);
		for (int i = 1; i < STRETCHES && !complaints.isEmpty(); i++) {
			complaints.keySet().retainAll(complaints(crew, ledger).keySet());
		}
		complaints.values()
			.forEach((complaint) -> this.findings.add(complaint + ", still some seconds after " + after));
	}

	private Map<String, String> complaints(Crew crew, Ledger ledger) {
		Stretch before = Stretch.until(ledger, this.topology.masters());
		letPass(STRETCH);
		return Stretch.until(ledger, this.topology.masters())
			.complaintsSince(before, crew.members().stream().map(Crew.Member::name).toList(),
					this.topology.scriptsPerHold());
	}

	private void lookForTokensAhead(RedisServer master) {
		long micros = LEAD_OF_TOKENS.plus(this.topology.clockBehind()).toNanos() / 1000;
		Object ahead = master.command("EVAL", Ledger.script("ahead.lua"), "0", String.valueOf(micros));
		if (ahead instanceof List<?> sentences && !sentences.isEmpty()) {
			this.findings.add(sentences.get(0) + "; " + sentences.size() + " such tokens");
		}
	}

	private static Stream<String> expected(Crew crew) {
		return crew.actors().flatMap((actor) -> LockNames.CONTENDED.stream().map((lock) -> actor + " " + lock));
	}

	/** All go home: no timer, no key but tokens that expire, no thread is left. */
	private void settle(Crew crew, Ledger ledger) {
		crew.stop();
		awaited(crew, ledger, "keys are left in Redis", () -> leftovers().isEmpty());
		this.topology.masters().forEach(this::lookForTokensAhead);
		crew.dismiss();
	}

	private Set<String> leftovers() {
		return this.topology.masters().stream().flatMap(FaultRun::leftovers).collect(Collectors.toSet());
	}

	private static Stream<String> leftovers(RedisServer master) {
		return ((List<?>) Objects.requireNonNull(master.command("KEYS", "*"))).stream()
			.map(String::valueOf)
			.filter((key) -> !key.endsWith(":f") || Long.valueOf(-1).equals(master.command("PTTL", key)));
	}

	private void awaited(Crew crew, Ledger ledger, String otherwise, Callable<Boolean> condition) {
		try {
			await().atMost(patience()).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			look(crew, ledger);
			throw new AssertionError(
					otherwise + " (seed " + this.seed + ", faults " + this.faults + ")\n"
							+ String.join("\n", this.violations) + "\n" + Inquest.into(this.topology) + crew.dump(),
					ex);
		}
	}

	/** A machine that is busy with other things is no violation. */
	private static Duration patience() {
		OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
		double load = machine.getSystemLoadAverage() / machine.getAvailableProcessors();
		return PATIENCE.multipliedBy(Math.max(1, Math.min(6, Math.round(load))));
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20));
	}

	private static void letPass(Duration time) {
		if (!time.isZero()) {
			await().pollDelay(time).atMost(time.plus(PATIENCE)).until(() -> true);
		}
	}

	private static Duration since(long nanos) {
		return Duration.ofNanos(System.nanoTime() - nanos);
	}

}
