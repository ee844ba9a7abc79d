package io.github.lockboot.faults;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
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

/**
 * A run: workers count under locks while one fault after the other is injected; after
 * each of them everybody has to make progress again, and at the end nothing may be left
 * and the history must keep the {@link Rule rules}. The seed chooses faults, victims and
 * what workers do, though not how threads and processes interleave.
 */
final class FaultRun {

	static final List<String> LOCKS = List.of("orders", "stock");

	static final Duration LEASE = Duration.ofSeconds(1);

	static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

	/** Longer than a lease, and than what may have gone on before it began. */
	static final Duration OUTAGE = Duration.ofMillis(1500);

	private static final int WORKERS = 3;

	/** Generous: a loaded machine is no violation. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final long seed;

	private final Random random;

	private final Topology topology;

	private final History history = new History();

	private final List<String> violations = new ArrayList<>();

	private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

	private final List<Fault> deck = new ArrayList<>();

	private Duration slowest = Duration.ZERO;

	FaultRun(Topology topology, long seed) {
		this.topology = topology;
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

	private Figures run(LongPredicate goesOn, boolean inPairs) {
		long start = System.nanoTime();
		try (RedisServer books = RedisFixture.newServer();
				Ledger ledger = new Ledger(books.host(), books.port());
				Crew crew = new Crew(WORKERS, this.topology.uri(), books.port(), this.random)) {
			Scene scene = new Scene(this.topology, crew);
			shuffle();
			awaitProgress(scene, ledger, "the start");
			while (goesOn.test(start)) {
				inject(next(inPairs), scene, ledger);
			}
			settle(crew);
			ledger.drainTo(this.history);
			long overwritten = LOCKS.stream().mapToLong(ledger::overwritten).sum();
			Rule.all().forEach((rule) -> rule.violations(this.history).forEach(this.violations::add));
			return new Figures(this.seed, since(start), this.history.holds(), this.history.losses(),
					this.history.refusals(), overwritten, this.faults, this.slowest, this.violations);
		}
	}

	private void shuffle() {
		this.deck.addAll(this.topology.faults());
		Collections.shuffle(this.deck, this.random);
	}

	private List<Fault> next(boolean inPairs) {
		if (this.deck.isEmpty()) {
			shuffle();
		}
		Fault fault = this.deck.remove(this.deck.size() - 1);
		List<Fault> silencing = this.topology.faults().stream().filter(Fault::silencesRedis).toList();
		boolean pair = inPairs && !fault.silencesRedis() && !silencing.isEmpty() && this.random.nextInt(3) == 0;
		return pair ? List.of(fault, silencing.get(this.random.nextInt(silencing.size()))) : List.of(fault);
	}

	private void inject(List<Fault> strikes, Scene scene, Ledger ledger) {
		Duration length = Fault.length(strikes, this.random.nextBoolean());
		strikes.forEach((fault) -> this.faults.merge(fault, 1, Integer::sum));
		if (length.compareTo(LEASE) > 0) {
			scene.holder(); // who is to notice
		}
		long before = System.nanoTime();
		Deque<Runnable> healings = new ArrayDeque<>();
		strikes.forEach((fault) -> healings.push(fault.strike(scene)));
		letPass(length);
		healings.forEach(Runnable::run);
		this.topology.awaitHealthy();
		if (strikes.stream().anyMatch(this.topology::forgets)) {
			this.history.add(new Amnesia(before, System.nanoTime()));
		}
		awaitProgress(scene, ledger, strikes + " for " + length.toMillis() + " ms");
		ledger.drainTo(this.history);
	}

	/** Everybody gets every lock again, and is woken by pushes again. */
	private void awaitProgress(Scene scene, Ledger ledger, String after) {
		long start = System.nanoTime();
		Map<String, Long> before = ledger.progress();
		awaited(scene.crew(), "not everybody makes progress after " + after, () -> {
			Map<String, Long> now = ledger.progress();
			return expected(scene.crew()).allMatch((who) -> now.getOrDefault(who, 0L) > before.getOrDefault(who, 0L));
		});
		Duration took = since(start);
		this.slowest = (took.compareTo(this.slowest) > 0) ? took : this.slowest;
		awaited(scene.crew(), "not everybody listens to pushes after " + after,
				() -> names("PUBSUB", "CHANNELS", "lock:inbox:*").count() == scene.crew().members().size());
	}

	private static Stream<String> expected(Crew crew) {
		return crew.actors().flatMap((actor) -> LOCKS.stream().map((lock) -> actor + " " + lock));
	}

	/** All go home: no timer, no key but tokens that expire, no thread is left. */
	private void settle(Crew crew) {
		crew.stop();
		awaited(crew, "keys are left in Redis", () -> leftovers().isEmpty());
		crew.dismiss();
		this.violations.addAll(crew.reports());
	}

	private Set<String> leftovers() {
		return names("KEYS", "*").filter(
				(key) -> !key.endsWith(":f") || Long.valueOf(-1).equals(this.topology.master().command("PTTL", key)))
			.collect(Collectors.toSet());
	}

	private Stream<String> names(String... command) {
		return (this.topology.master().command(command) instanceof List<?> names) ? names.stream().map(String::valueOf)
				: Stream.empty();
	}

	private void awaited(Crew crew, String otherwise, Callable<Boolean> condition) {
		try {
			await().atMost(PATIENCE).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError(
					otherwise + " (seed " + this.seed + ", faults " + this.faults + ")\n" + crew.dump(), ex);
		}
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
