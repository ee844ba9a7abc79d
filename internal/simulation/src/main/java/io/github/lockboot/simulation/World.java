package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.simulation.Rules.Violation;
import io.github.lockboot.simulation.server.LuaMachine;
import io.github.lockboot.simulation.server.SimulatedRedis;

/** Lets a history happen, and judges it. */
final class World {

	/** For how long replies of JVMs and servers are checked after the last fault. */
	private static final long SETTLED_MILLIS = 12_000;

	/** In which a JVM connects again, and repeats a release after a pause. */
	private static final long REPAIR_NANOS = TimeUnit.SECONDS.toNanos(3);

	/** In which a JVM subscribes again, and asks for what it has missed. */
	private static final long SUBSCRIBED_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	/** How long a JVM's text about itself may outlive its last lock, by a slow clock. */
	private static final long IDENTITY_MILLIS = 65_000;

	/** So large that no length of time is like a time, which counts from the present. */
	private static final long SEARCHED_NANOS = 500_000_000_000_000_000L;

	/** With which the JVMs of a search connect. */
	private static final String FIRST_LOCK = "first";

	private final History history;

	private final Scheduler scheduler;

	private final Seed random;

	private final LuaMachine lua;

	/** Those that are not replaced. */
	private final List<Jvm> jvms = new ArrayList<>();

	/** Also those that were replaced. */
	private final List<Jvm> allJvms = new ArrayList<>();

	/** Those of each lock, and of the lock of the leader. */
	private final List<Rules> rules = new ArrayList<>();

	private final Callers callers;

	private final Inspections inspections;

	private final @Nullable CacheCallers cacheCallers;

	private final Leaders leaders;

	/** The masters: one, or those of Redlock. */
	private final List<Node> masters = new ArrayList<>();

	private final long beginNanos;

	private final @Nullable StringBuilder story;

	/** What is written to a socket, or read. */
	private final ByteBuf buffer = Unpooled.buffer(1024);

	/** Whether calls of one JVM overtake each other on their way to the connection. */
	private final boolean unordered;

	private int servers;

	private SimulatedRedis.Snapshot old = SimulatedRedis.Snapshot.EMPTY;

	private long slowUntilNanos;

	private long doubleUntilNanos;

	private @Nullable String failure;

	private long hash = 17;

	private long commands;

	private long scripts;

	private long pausedNanos;

	private long repairedNanos = Long.MIN_VALUE;

	/** Whether there was no fault yet; of a history, whether it has none. */
	private boolean calm;

	/** Whether a search chooses the order of the steps. */
	private final boolean searched;

	private World(History history, LuaMachine lua, boolean tells, boolean unordered, boolean searched) {
		this.unordered = unordered;
		this.searched = searched;
		this.history = history;
		this.lua = lua;
		Seed seed = seed();
		this.scheduler = searched ? new Scheduler(seed.of(1), SEARCHED_NANOS) : new Scheduler(seed.of(1));
		this.random = seed.of(2);
		this.beginNanos = this.scheduler.nowNanos();
		this.story = tells ? new StringBuilder() : null;
		for (int i = 0; i < history.servers(); i++) {
			this.masters.add(newNode());
			// those of Redlock have different clocks
			this.masters.get(i).step(-seed.of(5 + i).nextLong(i * 1_000_000L + 1));
		}
		for (int i = 0; i < history.locks().size(); i++) {
			this.rules.add(new Rules(History.name(i)));
		}
		Rules ofLeader = new Rules(Leaders.LOCK);
		this.rules.add(ofLeader);
		this.leaders = new Leaders(this, history, ofLeader);
		this.scheduler.observe(this.leaders::check);
		for (int i = 0; i < history.jvms(); i++) {
			this.jvms.add(newJvm("J" + i, (i == history.silentJvm()) ? Jvm.SILENT : 0));
		}
		List<Call> calls = new ArrayList<>();
		this.calm = searched || history.isFaultless();
		this.inspections = new Inspections(this, history, this.rules, this.allJvms, calls);
		this.callers = new Callers(this, history, this.rules, calls, this.inspections);
		this.cacheCallers = (history.cache() != null) ? new CacheCallers(this, history, history.cache(), this.jvms)
				: null;
	}

	/**
	 * Let a history happen.
	 * @param tells whether to write the story
	 */
	static Outcome run(History history, LuaMachine lua, boolean tells, boolean unordered) {
		World world = new World(history, lua, tells, unordered, false);
		try {
			world.judge(world::run);
		}
		finally {
			world.leaders.end();
		}
		return new Outcome(world.hash, world.failure, world.commands, world.scripts, world.callers.sections(),
				(world.story != null) ? world.story.toString() : "");
	}

	/** Do something, and return the first rule that is broken, if any. */
	@Nullable String judge(Runnable something) {
		try {
			something.run();
		}
		catch (Violation ex) {
			fail(String.valueOf(ex.getMessage()));
		}
		catch (RuntimeException | Error ex) {
			fail(failed(ex));
		}
		return this.failure;
	}

	/**
	 * Begin a history whose steps a search chooses. All JVMs are connected and subscribed
	 * already.
	 */
	static World searched(History history, LuaMachine lua, boolean tells) {
		World world = new World(history, lua, tells, false, true);
		world.judge(() -> {
			LockRequest first = LockRequest.of(FIRST_LOCK);
			world.jvms.forEach((jvm) -> jvm.locks().acquireAsync(first).thenAccept(LockHandle::closeAsync));
			world.runFor(0, 3_000);
		});
		return world;
	}

	/** Continue a history without faults until all calls have ended, as it would end. */
	void end() {
		settle((this.scheduler.nowNanos() - this.beginNanos) / 1_000_000);
	}

	private static String failed(Throwable step) {
		return "a step fails: " + step + " at " + Arrays.stream(step.getStackTrace()).limit(6).toList();
	}

	private Seed seed() {
		return this.searched ? Seed.ofLeast(this.history.seed()) : new Seed(this.history.seed());
	}

	private Node newNode() {
		Node node = new Node("S" + this.servers++, this.scheduler, this.history.drift(), this.lua);
		if (this.searched) {
			ShippedScripts.ALL.forEach(node.redis()::know);
		}
		return node;
	}

	private Jvm newJvm(String name, int lacks) {
		Jvm jvm = new Jvm(this, name, seed().of(10 + this.allJvms.size()), this.masters, lacks,
				Duration.ofMillis(this.history.leaseMillis()), this.history.isReplicated() ? 1 : 0);
		this.allJvms.add(jvm);
		return jvm;
	}

	private void run() {
		Scheduler.Machine outside = new Scheduler.Machine();
		for (Decision decision : this.history.decisions()) {
			this.scheduler.after(outside, TimeUnit.MILLISECONDS.toNanos(decision.atMillis()), () -> happen(decision));
		}
		settle(this.history.decisions()
			.stream()
			.mapToLong((decision) -> decision.atMillis() + decision.first() + decision.second())
			.max()
			.orElse(0));
	}

	// ---- what the parts of the world ask

	Scheduler scheduler() {
		return this.scheduler;
	}

	/** Return an empty buffer, for the time until the next one. */
	ByteBuf buffer() {
		return this.buffer.clear();
	}

	boolean isSearched() {
		return this.searched;
	}

	boolean isGone(int jvm) {
		return this.jvms.get(jvm).isGone();
	}

	String story() {
		return (this.story != null) ? this.story.toString() : "";
	}

	/** Packets were late, or threads did not run. */
	void delayed(long nanos) {
		this.pausedNanos += nanos;
		this.calm = false;
	}

	/** Whether there was no fault yet. */
	boolean isCalm() {
		return this.calm;
	}

	boolean isUnordered() {
		return this.unordered;
	}

	Seed random() {
		return this.random;
	}

	long latencyNanos() {
		long usual = 50_000 + this.random.nextLong(400_000);
		if (this.scheduler.nowNanos() < this.slowUntilNanos) {
			return usual + this.random.nextLong(this.random.isOneOf(4) ? 1_500_000_000L : 50_000_000L);
		}
		return this.random.isOneOf(50) ? usual + this.random.nextLong(10_000_000) : usual;
	}

	boolean doublesPacket() {
		return this.scheduler.nowNanos() < this.doubleUntilNanos && (this.searched || this.random.isOneOf(2));
	}

	@Nullable Object execute(Jvm jvm, Node at, int connection, String[] words) {
		try {
			if (words[0].startsWith("EVAL")
					&& (words[1].equals(ShippedScripts.FORCE.sha1()) || words[1].equals(ShippedScripts.FORCE.text()))) {
				forces(at, words[3]);
			}
			Object reply = at.execute(connection, words);
			executed(jvm, at, words, reply);
			return reply;
		}
		catch (UnsupportedOperationException ex) {
			throw notSimulated(String.join(" ", words));
		}
	}

	private void executed(Jvm jvm, Node at, String[] words, @Nullable Object reply) {
		this.commands++;
		trace(words[0].hashCode());
		boolean script = words[0].startsWith("EVAL");
		if (script) { // whose digest a comment changes
			trace(Scripts.hash(Arrays.asList(words).subList(2, words.length)) + 31 * Scripts.hash(reply));
			this.scripts++;
			checkLeases();
		}
		if (this.story != null) { // most are not told
			note(() -> at.name() + " runs for " + jvm.name() + ": " + (script
					? Scripts.name(words) + String.join(" ", Arrays.asList(words).subList(3, words.length)) : words[0])
					+ " -> " + reply);
		}
	}

	/** The lease of a holder does not end in Redis before it ends for the holder. */
	void checkLeases() {
		for (int i = 0; i < this.history.locks().size() && this.masters.size() == 1; i++) {
			String reason = this.rules.get(i).early(this.masters.get(0), this.scheduler.nowNanos());
			if (reason != null) {
				fail(reason);
			}
		}
	}

	void pushed(Jvm jvm, String message) {
		trace(Scripts.hash(message));
		note(() -> jvm.name() + " receives: " + message);
	}

	/** Code that calls it may hide the exception. */
	RuntimeException notSimulated(String what) {
		fail("not simulated: " + what);
		return new UnsupportedOperationException(what);
	}

	/** The first failure counts. */
	void fail(String reason) {
		if (this.failure == null) {
			this.failure = reason;
			note(() -> "VIOLATION: " + reason);
			this.scheduler.stop();
		}
	}

	/** Writes the story, if anybody reads it. */
	void note(Supplier<String> event) {
		if (this.story != null) {
			this.story
				.append("%10.3f ms  %s%n".formatted((this.scheduler.nowNanos() - this.beginNanos) / 1e6, event.get()));
		}
	}

	/** Return a text in the first master. */
	@Nullable String value(String key) {
		return this.masters.get(0).redis().value(key);
	}

	/** Return when all that was lost is sent again. */
	long repairedNanos() {
		return this.repairedNanos;
	}

	/** How long faults may have delayed a call. */
	long delayedNanos(long beganNanos) {
		return this.pausedNanos + Math.max(0, TimeUnit.MILLISECONDS.toNanos(1500) + this.slowUntilNanos - beganNanos);
	}

	void trace(long event) {
		this.hash = Seed.mix(this.hash * 31 + this.scheduler.nowNanos() + event);
	}

	// ---- decisions

	/**
	 * Return whether something is different with a decision than without, for a search.
	 */
	boolean mayHappen(Decision decision) {
		Jvm jvm = this.jvms.get(decision.jvm());
		return !jvm.isGone() && switch (decision.kind()) {
			case CUT -> links(jvm, decision).stream().anyMatch(Link::isBusy);
			case DOUBLE -> this.jvms.stream().flatMap((each) -> each.links().stream()).anyMatch(Link::isBusy);
			case FORCE -> value("lock:{" + History.name(decision.lock()) + "}") != null;
			case CRASH, PAUSE -> this.callers.areIn(jvm);
			default -> true;
		};
	}

	void happen(Decision decision) {
		Jvm jvm = this.jvms.get(decision.jvm());
		long now = this.scheduler.nowNanos();
		long firstNanos = TimeUnit.MILLISECONDS.toNanos(decision.first());
		if (!decision.isCall()) {
			this.calm = false;
			boolean subscription = decision.kind() == Decision.Kind.CUT && decision.first() == 1;
			this.repairedNanos = Math.max(this.repairedNanos, now + (subscription ? SUBSCRIBED_NANOS : REPAIR_NANOS));
			note(() -> "*** " + decision.toString().substring(11));
		}
		int server = decision.jvm() % this.masters.size();
		Node master = this.masters.get(server);
		if (decision.losesLocks()) {
			boolean one = decision.kind() == Decision.Kind.EVICT;
			for (int i = 0; i < this.rules.size(); i++) {
				if (!one || i == decision.lock()) {
					loses(i, now + TimeUnit.MILLISECONDS.toNanos(decision.second()));
				}
			}
		}
		this.leaders.happens(decision, jvm);
		if (this.cacheCallers != null && !decision.isCall()) {
			this.cacheCallers.happens(decision, master);
		}
		switch (decision.kind()) {
			case READ, EVICT_ENTRY, PUT, EVICT_TAG, CLEAR ->
				Objects.requireNonNull(this.cacheCallers).happen(jvm, decision);
			case ACQUIRE -> this.callers.acquire(jvm, decision);
			case COMPETE -> this.callers.compete(jvm, decision);
			case INSPECT -> this.inspections.inspect(jvm, decision.lock());
			case CAMPAIGN -> this.leaders.campaign(jvm, decision.first());
			case FORCE -> force(decision);
			case CLOSE -> {
				if (living() > 1) {
					close(jvm);
				}
			}
			case REPLACE -> {
				if (!jvm.isGone()) {
					this.jvms.set(decision.jvm(), newJvm(jvm.name() + "'", decision.options()));
					close(jvm);
				}
			}
			case CRASH -> {
				if (living() > 1) {
					jvm.crash();
				}
			}
			case PAUSE, SUSPEND -> {
				Link<?> link = jvm.links().stream().filter((each) -> !each.isPubSub()).findFirst().orElse(null);
				if (decision.has(Decision.AT_CALL) && link != null) {
					link.atCall(decision);
				}
				else if (decision.kind() == Decision.Kind.SUSPEND) {
					jvm.suspend(firstNanos);
					this.pausedNanos += 2 * firstNanos; // with packets that come late
				}
				else {
					jvm.machine().pauseUntil(now + firstNanos);
					this.pausedNanos += firstNanos;
				}
			}
			case PAUSE_SERVER -> {
				master.machine().pauseUntil(now + firstNanos);
				this.pausedNanos += firstNanos;
			}
			case CUT -> {
				for (Link<?> link : links(jvm, decision)) {
					if (decision.has(Decision.AT_CALL)) {
						link.atCall(decision);
					}
					else {
						link.cut(decision.has(Decision.LATE));
					}
				}
			}
			case HALF_OPEN -> links(jvm, decision).forEach((link) -> link.halfOpen(decision.options() == 1));
			case SLOW -> this.slowUntilNanos = Math.max(this.slowUntilNanos, now + firstNanos);
			case DOUBLE -> this.doubleUntilNanos = Math.max(this.doubleUntilNanos, now + firstNanos);
			case REVOKE -> {
				jvm.silenceUntil(now + firstNanos);
				jvm.links().stream().filter(Link::isPubSub).forEach(Link::endedByServer);
			}
			case UNREPLICATED -> {
				master.redis().setReplicas(0);
				this.scheduler.after(new Scheduler.Machine(), firstNanos, () -> master.redis().setReplicas(1));
			}
			case FLUSH -> master.flushScripts();
			case READ_ONLY -> {
				master.redis().setReadOnly(true);
				this.scheduler.after(master.machine(), firstNanos, () -> master.redis().setReadOnly(false));
			}
			case OUT_OF_MEMORY -> {
				master.redis().setOutOfMemory(true);
				this.scheduler.after(master.machine(), firstNanos, () -> master.redis().setOutOfMemory(false));
			}
			case EVICT -> {
				this.callers.lost(decision.lock(), master, false);
				master.redis().evict("lock:{" + History.name(decision.lock()) + "}");
			}
			case STEP -> master.step(TimeUnit.MILLISECONDS.toMicros(decision.first()));
			case FAIL_OVER -> failOver(server, decision);
			case RESTART_EMPTY -> restart(server, SimulatedRedis.Snapshot.EMPTY);
			case RESTART_OLD -> {
				SimulatedRedis.Snapshot kept = master.redis().snapshot();
				this.scheduler.after(new Scheduler.Machine(), firstNanos, () -> restart(server, kept));
				losesAll(now + firstNanos);
			}
		}
	}

	/** Redis may lose a lock until a time; then its holders learn it. */
	private void loses(int lock, long nanos) {
		this.rules.get(lock)
			.lossyUntil(nanos + learnNanos(),
					this.history.decisions().stream().anyMatch((decision) -> decision.kind() == Decision.Kind.STEP));
	}

	private long learnNanos() {
		return TimeUnit.MILLISECONDS.toNanos(Math.max(this.history.leaseMillis(), 2000) + 1500);
	}

	private void losesAll(long nanos) {
		for (int i = 0; i < this.rules.size(); i++) {
			loses(i, nanos);
		}
	}

	/** A server is about to release a lock by force, the only one or one of Redlock. */
	private void forces(Node at, String key) {
		for (int i = 0; i < this.rules.size(); i++) {
			String token = at.redis().value(key + ":f");
			if (key.equals("lock:{" + this.rules.get(i).lock() + "}") && token != null) {
				this.rules.get(i).forced(Long.parseLong(token), this.scheduler.nowNanos() + learnNanos());
				if (i < this.history.locks().size()) {
					this.callers.lost(i, at, true);
				}
			}
		}
	}

	private long living() {
		return this.jvms.stream().filter((jvm) -> !jvm.isGone()).count();
	}

	private List<Link<?>> links(Jvm jvm, Decision decision) {
		return jvm.links()
			.stream()
			.filter((link) -> link.isPubSub() == (decision.first() == 1)
					&& link.server() == decision.lock() % this.masters.size())
			.toList();
	}

	private void force(Decision decision) {
		this.jvms.stream()
			.filter((jvm) -> !jvm.isGone())
			.findFirst()
			.ifPresent((jvm) -> this.scheduler.after(jvm.machine(), 0, () -> {
				if (this.masters.size() > 1) { // one after the other; it may have paused
					loses(decision.lock(), this.scheduler.nowNanos());
				}
				jvm.store().administration().forceRelease(History.name(decision.lock()));
			}));
	}

	private void close(Jvm jvm) {
		this.scheduler.after(jvm.machine(), 0, () -> {
			if (jvm.isGone()) {
				return;
			}
			this.leaders.resign(jvm);
			jvm.lifecycle().stop();
			jvm.lifecycle().takeAllAway("the application shuts down");
			this.scheduler.after(jvm.machine(), TimeUnit.MILLISECONDS.toNanos(50), jvm::shutDown);
		});
	}

	private void restart(int server, SimulatedRedis.Snapshot data) {
		Node master = this.masters.get(server);
		master.redis().restore(data);
		master.flushScripts();
		master.cutAll();
	}

	/** The replica has what the master had some time ago: the fail-over ends after it. */
	private void failOver(int server, Decision decision) {
		SimulatedRedis.Snapshot replica = this.masters.get(server).redis().snapshot();
		long lagNanos = TimeUnit.MILLISECONDS.toNanos(decision.first());
		losesAll(this.scheduler.nowNanos() + lagNanos + TimeUnit.MILLISECONDS.toNanos(decision.second()));
		this.scheduler.after(new Scheduler.Machine(), lagNanos, () -> {
			Node next = newNode();
			next.redis().restore(replica);
			Node former = this.masters.set(server, next);
			long mostNanos = Math.max(1, TimeUnit.MILLISECONDS.toNanos(decision.second()));
			this.jvms.forEach((jvm) -> this.scheduler.after(new Scheduler.Machine(), this.random.nextLong(mostNanos),
					() -> jvm.master(server, this.masters.get(server))));
			this.scheduler.after(new Scheduler.Machine(), mostNanos, () -> {
				former.redis().setReadOnly(true);
				former.cutAll();
				former.machine().die();
			});
		});
	}

	// ---- the end

	/** Without faults all calls end, all locks can be acquired, and nothing is left. */
	private void settle(long lastMillis) {
		// some leases are longer, so that a release that got lost has to be repeated
		boolean leased = !this.callers.isPrompt() && (!this.searched || this.jvms.stream()
			.anyMatch((jvm) -> jvm.isGone() || !jvm.machine().hasRunSince(this.scheduler.nowNanos())));
		runFor(0, lastMillis + SETTLED_MILLIS + (leased ? this.history.leaseMillis() : 0));
		if (this.failure != null) {
			return;
		}
		this.callers.checkAnswered(false);
		checkFree();
		this.leaders.checkElected();
		this.callers.checkShares();
		this.jvms.forEach((jvm) -> jvm.links().forEach((link) -> link.atCall(null)));
		long now = (this.scheduler.nowNanos() - this.beginNanos) / 1_000_000;
		for (int lock = 0; lock < this.history.locks().size(); lock++) {
			for (int i = 0; i < this.jvms.size(); i++) {
				if (!this.jvms.get(i).isGone()) {
					this.callers.probe(this.jvms.get(i),
							new Decision(now, Decision.Kind.ACQUIRE, i, lock, probeMillis(), 1, 0));
				}
			}
		}
		if (this.cacheCallers != null) {
			this.cacheCallers.checkAnswered();
			this.cacheCallers.probe(this.jvms, now);
		}
		runFor(now, 8_000);
		this.callers.checkAnswered(true);
		if (this.cacheCallers != null) {
			this.cacheCallers.checkAnswered();
			this.cacheCallers.checkMemory();
		}
		this.leaders.resignAll();
		for (Jvm jvm : this.jvms) {
			if (!jvm.isGone()) {
				jvm.lifecycle().stop();
			}
		}
		now += 8_000;
		runFor(now, 3_000);
		for (Jvm jvm : this.jvms) {
			if (!jvm.isGone() && !jvm.lifecycle().awaitAllReleased(Duration.ZERO)) {
				throw new Violation(jvm.name() + " still has attempts in memory: " + jvm.locks().activity());
			}
			if (!jvm.isGone()) {
				jvm.warnings().checkEnded();
			}
		}
		runFor(now + 3_000, 15_000);
		checkKeys("}:f", ":epoch ", ":tags ", "lock:instance:");
		this.jvms.stream().filter((jvm) -> !jvm.isGone()).forEach(Jvm::shutDown);
		runFor(now + 18_000, IDENTITY_MILLIS);
		checkKeys("}:f", ":epoch ", ":tags ");
	}

	/** No lock outlives the calls by more than its lease. */
	private void checkFree() {
		for (int i = 0; i < this.history.locks().size() && !this.searched; i++) {
			for (Node master : this.masters) {
				String owner = master.redis().value("lock:{" + History.name(i) + "}");
				if (owner != null) {
					throw new Violation("after all calls " + owner + " holds " + History.name(i));
				}
			}
		}
	}

	private void checkKeys(String... mayBeLeft) {
		List<String> left = this.masters.stream()
			.flatMap((master) -> master.redis().dump().lines())
			.filter((line) -> Arrays.stream(mayBeLeft).noneMatch(line::contains))
			.sorted()
			.toList();
		if (!left.isEmpty()) {
			throw new Violation("keys are left: " + left);
		}
	}

	/**
	 * With a replica, there are two connections that may be found dead, one after the
	 * other.
	 */
	private long probeMillis() {
		return this.history.isReplicated() ? 6500 : 4000;
	}

	private void runFor(long fromMillis, long millis) {
		this.scheduler.runUntil(this.beginNanos + TimeUnit.MILLISECONDS.toNanos(fromMillis + millis));
	}

}
