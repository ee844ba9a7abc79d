package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.simulation.Rules.Holder;
import io.github.lockboot.simulation.Rules.Violation;
import io.github.lockboot.simulation.server.LuaMachine;
import io.github.lockboot.simulation.server.SimulatedRedis;

/** Lets a history happen, and judges it. */
final class World {

	/** For how long replies of JVMs and servers are checked after the last fault. */
	private static final long SETTLED_MILLIS = 12_000;

	/** Requests that are sent within this time may arrive in any order. */
	private static final long FAIR_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final History history;

	private final Scheduler scheduler;

	private final Seed random;

	private final LuaMachine lua;

	private final List<Jvm> jvms = new ArrayList<>();

	private final List<Rules> rules = new ArrayList<>();

	private final List<Call> calls = new ArrayList<>();

	private final long beginNanos;

	private final boolean faultless;

	private final @Nullable StringBuilder story;

	private Node master;

	private int servers;

	private SimulatedRedis.Snapshot old = SimulatedRedis.Snapshot.EMPTY;

	private long slowUntilNanos;

	private long doubleUntilNanos;

	private @Nullable String failure;

	private long hash = 17;

	private long commands;

	private long pausedNanos;

	private World(History history, LuaMachine lua, boolean tells) {
		this.history = history;
		this.lua = lua;
		Seed seed = new Seed(history.seed());
		this.scheduler = new Scheduler(seed.of(1));
		this.random = seed.of(2);
		this.beginNanos = this.scheduler.nowNanos();
		this.faultless = history.silentJvm() < 0
				&& history.decisions().stream().allMatch((each) -> each.kind() == Decision.Kind.ACQUIRE);
		this.story = tells ? new StringBuilder() : null;
		this.master = newNode();
		for (int i = 0; i < history.locks().size(); i++) {
			this.rules.add(new Rules("lock" + i));
		}
		for (int i = 0; i < history.jvms(); i++) {
			this.jvms.add(new Jvm(this, "J" + i, seed.of(10 + i), this.master, i == history.silentJvm(),
					Duration.ofMillis(history.leaseMillis())));
		}
	}

	/**
	 * Let a history happen.
	 * @param tells whether to write the story
	 */
	static Outcome run(History history, LuaMachine lua, boolean tells) {
		World world = new World(history, lua, tells);
		String violation = null;
		try {
			world.run();
		}
		catch (Violation ex) {
			violation = ex.getMessage();
		}
		catch (RuntimeException | Error ex) {
			violation = "a step fails: " + ex + " at " + Arrays.stream(ex.getStackTrace()).limit(6).toList();
		}
		if (violation != null) {
			world.fail(violation);
		}
		return new Outcome(world.hash, world.failure, world.commands,
				(world.story != null) ? world.story.toString() : "");
	}

	private Node newNode() {
		return new Node("S" + this.servers++, this.scheduler, this.lua);
	}

	private void run() {
		for (Decision decision : this.history.decisions()) {
			this.scheduler.runUntil(this.beginNanos + TimeUnit.MILLISECONDS.toNanos(decision.atMillis()));
			if (this.failure != null) {
				return;
			}
			happen(decision);
		}
		settle();
	}

	// ---- what the parts of the world ask

	Scheduler scheduler() {
		return this.scheduler;
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
		return this.scheduler.nowNanos() < this.doubleUntilNanos && this.random.isOneOf(2);
	}

	@Nullable Object execute(Jvm jvm, Node at, int connection, String[] words) {
		try {
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
		if (words[0].startsWith("EVAL")) { // a comment in a script changes its digest
											// only
			trace(Arrays.hashCode(Arrays.copyOfRange(words, 2, words.length)) + 31 * Objects.hashCode(reply));
		}
		if (this.story != null && !words[0].startsWith("EVAL")) {
			note(at.name() + " runs for " + jvm.name() + ": " + words[0] + " -> " + reply);
		}
		else if (this.story != null) {
			note(at.name() + " runs for " + jvm.name() + ": " + Scripts.name(words)
					+ String.join(" ", Arrays.asList(words).subList(3, words.length)) + " -> " + reply);
		}
	}

	void pushed(Jvm jvm, String message) {
		trace(message.hashCode());
		note(jvm.name() + " receives: " + message);
	}

	/** Code that calls it may hide the exception. */
	RuntimeException notSimulated(String what) {
		fail("not simulated: " + what);
		return new UnsupportedOperationException(what);
	}

	/** The first failure counts. */
	private void fail(String reason) {
		if (this.failure == null) {
			this.failure = reason;
			note("VIOLATION: " + reason);
		}
	}

	void note(String event) {
		if (this.story != null) {
			this.story.append("%10.3f ms  %s%n".formatted((this.scheduler.nowNanos() - this.beginNanos) / 1e6, event));
		}
	}

	private void trace(long event) {
		this.hash = Seed.mix(this.hash * 31 + this.scheduler.nowNanos() + event);
	}

	// ---- decisions

	private void happen(Decision decision) {
		Jvm jvm = this.jvms.get(decision.jvm());
		long now = this.scheduler.nowNanos();
		long firstNanos = TimeUnit.MILLISECONDS.toNanos(decision.first());
		if (this.story != null && decision.kind() != Decision.Kind.ACQUIRE) {
			note("*** " + decision.toString().substring(11));
		}
		if (decision.losesLocks()) {
			boolean one = decision.kind() == Decision.Kind.FORCE || decision.kind() == Decision.Kind.EVICT;
			for (int i = 0; i < this.rules.size(); i++) {
				if (!one || i == decision.lock()) {
					loses(i, now + TimeUnit.MILLISECONDS.toNanos(decision.second()),
							decision.kind() != Decision.Kind.FORCE);
				}
			}
		}
		switch (decision.kind()) {
			case ACQUIRE -> acquire(jvm, decision);
			case FORCE -> force(decision);
			case CLOSE -> close(jvm);
			case CRASH -> {
				if (living() > 1) {
					jvm.crash();
				}
			}
			case PAUSE -> {
				jvm.machine().pauseUntil(now + firstNanos);
				this.pausedNanos += firstNanos;
			}
			case PAUSE_SERVER -> {
				this.master.machine().pauseUntil(now + firstNanos);
				this.pausedNanos += firstNanos;
			}
			case CUT -> links(jvm, decision).forEach((link) -> link.cut(decision.options() == 1));
			case HALF_OPEN -> links(jvm, decision).forEach((link) -> link.halfOpen(decision.options() == 1));
			case SLOW -> this.slowUntilNanos = Math.max(this.slowUntilNanos, now + firstNanos);
			case DOUBLE -> this.doubleUntilNanos = Math.max(this.doubleUntilNanos, now + firstNanos);
			case FLUSH -> this.master.flushScripts();
			case READ_ONLY -> {
				Node node = this.master;
				node.redis().setReadOnly(true);
				this.scheduler.after(node.machine(), firstNanos, () -> node.redis().setReadOnly(false));
			}
			case OUT_OF_MEMORY -> {
				Node node = this.master;
				node.redis().setOutOfMemory(true);
				this.scheduler.after(node.machine(), firstNanos, () -> node.redis().setOutOfMemory(false));
			}
			case EVICT -> this.master.redis().evict("lock:{lock" + decision.lock() + "}");
			case STEP -> this.master.step(TimeUnit.MILLISECONDS.toMicros(decision.first()));
			case FAIL_OVER -> failOver(decision);
			case RESTART_EMPTY -> restart(SimulatedRedis.Snapshot.EMPTY);
			case RESTART_OLD -> {
				SimulatedRedis.Snapshot kept = this.master.redis().snapshot();
				this.scheduler.after(new Scheduler.Machine(), firstNanos, () -> restart(kept));
				losesAll(now + firstNanos);
			}
		}
	}

	/** Redis may lose a lock until a time; then its holders learn it. */
	private void loses(int lock, long nanos, boolean tokensToo) {
		long learnMillis = Math.max(this.history.leaseMillis(), 2000) + 1500;
		this.rules.get(lock).lossyUntil(nanos + TimeUnit.MILLISECONDS.toNanos(learnMillis), tokensToo);
	}

	private void losesAll(long nanos) {
		for (int i = 0; i < this.rules.size(); i++) {
			loses(i, nanos, true);
		}
	}

	private long living() {
		return this.jvms.stream().filter((jvm) -> !jvm.isGone()).count();
	}

	private static List<Link<?>> links(Jvm jvm, Decision decision) {
		return jvm.links().stream().filter((link) -> link.isPubSub() == (decision.first() == 1)).toList();
	}

	private void force(Decision decision) {
		this.jvms.stream()
			.filter((jvm) -> !jvm.isGone())
			.findFirst()
			.ifPresent((jvm) -> this.scheduler.after(jvm.machine(), 0, () -> {
				loses(decision.lock(), this.scheduler.nowNanos(), false); // it may have
																			// paused
				jvm.store().forceRelease("lock" + decision.lock());
			}));
	}

	private void close(Jvm jvm) {
		if (jvm.isGone() || living() == 1) {
			return;
		}
		this.scheduler.after(jvm.machine(), 0, () -> {
			jvm.lifecycle().stop();
			jvm.lifecycle().takeAllAway("the application shuts down");
			this.scheduler.after(jvm.machine(), TimeUnit.MILLISECONDS.toNanos(50), jvm::shutDown);
		});
	}

	private void restart(SimulatedRedis.Snapshot data) {
		this.master.redis().restore(data);
		this.master.flushScripts();
		this.master.cutAll();
	}

	/** The replica has what the master had some time ago: the fail-over ends after it. */
	private void failOver(Decision decision) {
		SimulatedRedis.Snapshot replica = this.master.redis().snapshot();
		long lagNanos = TimeUnit.MILLISECONDS.toNanos(decision.first());
		losesAll(this.scheduler.nowNanos() + lagNanos + TimeUnit.MILLISECONDS.toNanos(decision.second()));
		this.scheduler.after(new Scheduler.Machine(), lagNanos, () -> {
			Node former = this.master;
			this.master = newNode();
			this.master.redis().restore(replica);
			long mostNanos = Math.max(1, TimeUnit.MILLISECONDS.toNanos(decision.second()));
			this.jvms.forEach((jvm) -> this.scheduler.after(new Scheduler.Machine(), this.random.nextLong(mostNanos),
					() -> jvm.master(this.master)));
			this.scheduler.after(new Scheduler.Machine(), mostNanos, () -> {
				former.redis().setReadOnly(true);
				former.cutAll();
				former.machine().die();
			});
		});
	}

	// ---- callers

	private void acquire(Jvm jvm, Decision decision) {
		if (jvm.isGone()) {
			return;
		}
		Call call = new Call(jvm, decision, this.calls.size());
		this.calls.add(call);
		this.scheduler.after(jvm.machine(), 0, () -> begin(call));
	}

	private LockRequest request(Decision decision) {
		LockRequest request = LockRequest.of("lock" + decision.lock())
			.waitTime(Duration.ofMillis(decision.first()))
			.release(decision.has(Decision.CONFIRMED) ? LockRelease.CONFIRMED : LockRelease.SENT);
		boolean other = decision.has(Decision.OTHER);
		request = switch (this.history.locks().get(decision.lock())) {
			case EXCLUSIVE -> request.fair(other);
			case FAIR -> request.fair(true);
			case SHARED -> other ? request : request.shared();
			case SEMAPHORE -> request.permits(2);
		};
		if (decision.has(Decision.RETAINED) && request.isExclusive() && !request.fair()) {
			request = request.retainTime(Duration.ofMillis(300));
		}
		return decision.has(Decision.FIXED_LEASE) ? request.renew(false) : request;
	}

	private void begin(Call call) {
		if (call.jvm.isGone()) {
			return;
		}
		call.beganNanos = this.scheduler.nowNanos();
		call.request = request(call.decision);
		note(call.jvm.name() + " requests " + call.request.name() + " (call " + call.number + "): waits "
				+ call.decision.first() + " ms" + (call.request.fair() ? ", fair" : "")
				+ (call.request.isExclusive() ? "" : call.request.isShared() ? ", shared" : ", permits"));
		CompletableFuture<LockHandle> result = call.jvm.locks().acquireAsync(call.request).toCompletableFuture();
		result.whenComplete((handle, failure) -> {
			try {
				answered(call, handle, failure);
			}
			catch (Violation ex) { // which the stage would hide
				fail(Objects.requireNonNull(ex.getMessage()));
			}
		});
		if (call.decision.has(Decision.CANCELLED)) {
			this.scheduler.after(call.jvm.machine(), TimeUnit.MILLISECONDS.toNanos(call.decision.second()),
					() -> result.cancel(false));
		}
	}

	private void answered(Call call, @Nullable LockHandle handle, @Nullable Throwable failure) {
		call.answered = true;
		long now = this.scheduler.nowNanos();
		trace((handle != null) ? handle.fencingToken() : 0);
		long allowedNanos = TimeUnit.MILLISECONDS.toNanos(call.decision.first() + 3000) + this.pausedNanos
				+ Math.max(0, TimeUnit.MILLISECONDS.toNanos(1500) + this.slowUntilNanos - call.beganNanos);
		if (now - call.beganNanos > allowedNanos) {
			throw new Violation("call " + call.number + " of " + call.jvm.name() + " is answered "
					+ (now - call.beganNanos) / 1_000_000 + " ms after it began");
		}
		if (handle == null) {
			note(call.jvm.name() + " does not acquire " + call.lock() + " (call " + call.number + "): " + failure);
			if (failure != null && call.probe && !call.jvm.isGone()) {
				throw new Violation("long after the last fault " + call.jvm.name() + " can't acquire " + call.lock()
						+ ((failure instanceof LockUnavailableException) ? ": " : " that nobody holds: ") + failure);
			}
			return;
		}
		note(call.jvm.name() + " holds " + call.lock() + " (call " + call.number + ") with token "
				+ handle.fencingToken());
		if (this.faultless && this.history.locks().get(call.decision.lock()) == History.LockKind.FAIR) {
			checkOrder(call, now);
		}
		Rules rules = this.rules.get(call.decision.lock());
		int permits = Objects.requireNonNull(call.request).permits();
		Holder holder = new Holder(call.jvm, call.number, handle, permits);
		rules.begins(holder, now);
		this.scheduler.after(call.jvm.machine(), TimeUnit.MILLISECONDS.toNanos(call.decision.second()), () -> {
			rules.ends(holder, this.scheduler.nowNanos());
			note(call.jvm.name() + " releases " + call.lock() + " (call " + call.number + ")"
					+ (handle.isHeld() ? "" : ", which it has lost"));
			handle.closeAsync();
		});
	}

	/** Nobody has waited for a fair lock for longer. */
	private void checkOrder(Call acquired, long now) {
		for (Call call : this.calls) {
			long waitNanos = TimeUnit.MILLISECONDS.toNanos(call.decision.first());
			if (call.decision.lock() == acquired.decision.lock() && !call.answered && call.request != null
					&& !call.decision.has(Decision.CANCELLED) && now - call.beganNanos < waitNanos
					&& acquired.beganNanos - call.beganNanos > FAIR_NANOS) {
				throw new Violation("call " + acquired.number + " of " + acquired.jvm.name() + " acquires the fair "
						+ call.lock() + " before call " + call.number + " of " + call.jvm.name());
			}
		}
	}

	// ---- the end

	/** Without faults all calls end, all locks can be acquired, and nothing is left. */
	private void settle() {
		long lastMillis = this.history.decisions()
			.stream()
			.mapToLong((decision) -> decision.atMillis() + decision.first() + decision.second())
			.max()
			.orElse(0);
		runFor(0, lastMillis + SETTLED_MILLIS + this.history.leaseMillis());
		for (Call call : this.calls) {
			if (!call.answered && !call.jvm.isGone() && !call.decision.has(Decision.CANCELLED)) {
				throw new Violation("call " + call.number + " of " + call.jvm.name() + " is never answered");
			}
		}
		long now = (this.scheduler.nowNanos() - this.beginNanos) / 1_000_000;
		for (int lock = 0; lock < this.history.locks().size(); lock++) {
			for (int i = 0; i < this.jvms.size(); i++) {
				if (!this.jvms.get(i).isGone()) {
					probe(this.jvms.get(i), new Decision(now, Decision.Kind.ACQUIRE, i, lock, 4000, 1, 0));
				}
			}
		}
		runFor(now, 8_000);
		for (Call call : this.calls) {
			if (call.probe && !call.answered) {
				throw new Violation("call " + call.number + " of " + call.jvm.name() + " is never answered");
			}
		}
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
		}
		runFor(now + 3_000, 15_000);
		List<String> left = this.master.redis()
			.dump()
			.lines()
			.filter((line) -> !line.contains("}:f"))
			.sorted()
			.toList();
		if (!left.isEmpty()) {
			throw new Violation("keys are left: " + left);
		}
	}

	private void probe(Jvm jvm, Decision decision) {
		Call call = new Call(jvm, decision, this.calls.size());
		call.probe = true;
		this.calls.add(call);
		this.scheduler.after(jvm.machine(), 0, () -> begin(call));
	}

	private void runFor(long fromMillis, long millis) {
		this.scheduler.runUntil(this.beginNanos + TimeUnit.MILLISECONDS.toNanos(fromMillis + millis));
	}

}
