package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity.Held;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.SimulatedHolds;
import io.github.lockboot.simulation.Decision.Kind;
import io.github.lockboot.simulation.History.LockKind;
import io.github.lockboot.simulation.Rules.Holder;
import io.github.lockboot.simulation.Rules.Violation;

/** The users of the locks: they acquire and release, and check what they get. */
final class Callers {

	/** Requests that are sent within this time may arrive in any order. */
	private static final long FAIR_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** How much longer than its wait time a call may take. */
	private static final long PATIENCE_MILLIS = 3000;

	/** Some minimum hold times are longer than the lease. */
	private static final Duration MIN_HOLD = Duration.ofMillis(400);

	private static final Duration LONG_MIN_HOLD = Duration.ofMillis(1500);

	private static final Duration MAX_HOLD = Duration.ofMillis(700);

	/** Longer than a lock that is free may have waiters. */
	private static final Duration RETAIN = Duration.ofMillis(800);

	/** For how long one that competes waits. */
	private static final long COMPETING_MILLIS = 5000;

	/** How many callers of a JVM may wait for a lock. */
	private static final int MOST_WAITING = 2;

	/** For how long a lock that is free may have waiters, or such that poll. */
	private static final long PROMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	private static final long POLLED_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

	/** How long a loss takes to be known if a message tells it. */
	private static final long PUSHED_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

	/** In which a renewal is repeated a few times. */
	private static final long LEAST_REPAIRED_MILLIS = 1500;

	/** Longer than it takes to repeat what was lost. */
	private static final long LONG_LEASE_MILLIS = 10_000;

	private final World world;

	private final History history;

	private final List<Rules> rules;

	private final List<Call> calls;

	private final Inspections inspections;

	private final boolean faultless;

	/** Whether a lock that is free does not stay so for long. */
	private final boolean prompt;

	/** Whether a renewal that fails is repeated in time. */
	private final boolean repaired;

	/** How many sections each JVM that competes has had. */
	private final long[] shares;

	private long sections;

	Callers(World world, History history, List<Rules> rules, List<Call> calls, Inspections inspections) {
		this.world = world;
		this.history = history;
		this.rules = rules;
		this.calls = calls;
		this.inspections = inspections;
		this.shares = new long[history.jvms()];
		this.faultless = history.isFaultless() && !world.isSearched();
		this.repaired = history.isOnlyOf(Kind.CUT) && history.leaseMillis() >= LEAST_REPAIRED_MILLIS;
		this.prompt = !world.isSearched() && history.locks().size() == 1 && (history.hasOnlyCalls()
				|| (history.isOnlyOf(Kind.CUT) && history.leaseMillis() > LONG_LEASE_MILLIS));
	}

	/**
	 * Whether a lock that is free, or whose release was lost, does not stay so for long.
	 */
	boolean isPrompt() {
		return this.prompt;
	}

	/** Whether some of a JVM wait for a lock or hold it. */
	boolean areIn(Jvm jvm) {
		return this.calls.stream().anyMatch((call) -> call.jvm == jvm && call.endedNanos == Long.MAX_VALUE);
	}

	void acquire(Jvm jvm, Decision decision) {
		if (!jvm.isGone()) {
			begin(jvm, decision, false);
		}
	}

	/** Acquires a lock that has to be free soon. */
	void probe(Jvm jvm, Decision decision) {
		begin(jvm, decision, true);
	}

	/** Acquires a lock again and again. */
	void compete(Jvm jvm, Decision decision) {
		long endNanos = this.world.scheduler().nowNanos() + TimeUnit.MILLISECONDS.toNanos(decision.first());
		compete(jvm, new Decision(decision.atMillis(), Decision.Kind.ACQUIRE, decision.jvm(), decision.lock(),
				COMPETING_MILLIS, decision.second(), decision.options()), endNanos);
	}

	private void compete(Jvm jvm, Decision decision, long endNanos) {
		if (this.world.scheduler().nowNanos() < endNanos && !jvm.isGone()) {
			Call call = begin(jvm, decision, false);
			call.competes = true;
			call.next = () -> compete(jvm, decision, endNanos);
		}
	}

	private Call begin(Jvm jvm, Decision decision, boolean probe) {
		// the same in all orders of a search
		int number = (this.world.isSearched() && !probe) ? (int) decision.atMillis() : this.calls.size();
		Call call = new Call(jvm, decision, number, request(decision).reason(Call.name(jvm, number)), probe);
		this.calls.add(call);
		this.world.scheduler().after(jvm.machine(), 0, () -> begin(call));
		return call;
	}

	long sections() {
		return this.sections;
	}

	/** JVMs that always compete get about the same shares. */
	void checkShares() {
		long most = Arrays.stream(this.shares).max().orElse(0);
		for (int i = 0; i < this.shares.length; i++) {
			if (2 * this.shares[i] < most) {
				throw new Violation(
						"J" + i + " gets less than half of the share of another one: " + Arrays.toString(this.shares));
			}
		}
	}

	/** Checks that all calls have ended, or only those that probe. */
	void checkAnswered(boolean probes) {
		for (Call call : this.calls) {
			if (call.probe == probes && !call.answered && !call.jvm.isGone()
					&& !call.decision.has(Decision.CANCELLED)) {
				throw new Violation(call + " is never answered");
			}
		}
	}

	private LockRequest request(Decision decision) {
		List<LockKind> kinds = this.history.locks();
		boolean all = decision.has(Decision.ALL_LOCKS) && kinds.size() > 1;
		LockRequest request = all ? LockRequest.allOf(this.history.names())
				: LockRequest.of(History.name(decision.lock()));
		request = request.waitTime(Duration.ofMillis(decision.first()))
			.release(decision.has(Decision.CONFIRMED) ? LockRelease.CONFIRMED : LockRelease.SENT);
		boolean other = decision.has(Decision.OTHER);
		if (all) {
			request = request.fair(other || kinds.contains(LockKind.FAIR));
		}
		else {
			request = switch (kinds.get(decision.lock())) {
				case EXCLUSIVE -> request.fair(other);
				case FAIR -> request.fair(true);
				case SHARED -> other ? request : request.shared();
				case SEMAPHORE -> request.permits(permits(decision.lock()));
			};
		}
		if (decision.has(Decision.RETAINED) && request.isExclusive() && !request.fair()) {
			request = request.retainTime(RETAIN);
		}
		if (decision.has(Decision.LIMITED)) {
			request = request.maxWaiting(MOST_WAITING);
		}
		if (decision.has(Decision.KEPT) && request.isExclusive()) {
			request = request.minHoldTime((this.history.leaseMillis() > 1000) ? MIN_HOLD : LONG_MIN_HOLD);
		}
		if (decision.has(Decision.SHORT_LEASE)) {
			request = request.leaseTime(Duration.ofMillis(this.history.leaseMillis() / 2));
		}
		if (decision.has(Decision.MAXIMUM) && !decision.has(Decision.KEPT)) {
			request = request.maxHoldTime(MAX_HOLD);
		}
		return decision.has(Decision.FIXED_LEASE) ? request.renew(false) : request;
	}

	private static int permits(int lock) {
		return 2 + lock % 2;
	}

	private void begin(Call call) {
		if (call.jvm.isGone()) {
			return;
		}
		call.beganNanos = this.world.scheduler().nowNanos();
		call.begun = true;
		LockRequest request = call.request;
		this.world.note(() -> call.jvm.name() + " requests " + request.name() + " (call " + call.number + "): waits "
				+ call.decision.first() + " ms" + (request.fair() ? ", fair" : "")
				+ (request.isExclusive() ? "" : request.isShared() ? ", shared" : ", permits"));
		CompletableFuture<LockHandle> result = result(call);
		if (call.decision.has(Decision.LIMITED)) {
			checkWaiting(call);
		}
		result.whenComplete((handle, failure) -> {
			try {
				answered(call, handle, failure);
			}
			catch (Violation ex) { // which the stage would hide
				this.world.fail(Objects.requireNonNull(ex.getMessage()));
			}
		});
		if (call.decision.has(Decision.CANCELLED)) {
			after(call, call.decision.second(), () -> result.cancel(false));
		}
	}

	private CompletableFuture<LockHandle> result(Call call) {
		if (call.decision.has(Decision.INTERRUPTED)) {
			return call.jvm.interrupted(() -> {
				// retained, without a wait
				call.jvm.locks().acquire(call.request).close();
				throw new LockUnavailableException(call.request.name(), "It was free", null);
			});
		}
		return call.jvm.locks().acquireAsync(call.request).toCompletableFuture();
	}

	/** More callers than the limit may try once, such as for a free permit. */
	private void checkWaiting(Call added) {
		String lock = History.name(added.decision.lock());
		long tryOnce = this.calls.stream()
			.filter((call) -> call.jvm == added.jvm && call.begun)
			.filter((call) -> !call.answered || call.decision.has(Decision.CANCELLED))
			.filter((call) -> call.decision.first() == 0 || call.request.names().size() > 1 || call.request.isShared())
			.count();
		int number = added.decision.lock();
		long permits = (this.history.locks().get(number) == LockKind.SEMAPHORE) ? permits(number) : 1;
		long waiting = added.jvm.locks()
			.activity()
			.waiting()
			.stream()
			.filter((waiter) -> waiter.name().equals(lock))
			.count();
		if (waiting > MOST_WAITING + permits - 1 + tryOnce) {
			throw new Violation(waiting + " callers of " + added.jvm.name() + " wait for " + lock);
		}
	}

	private void after(Call call, long millis, Runnable task) {
		this.world.scheduler().byUser(call.jvm.machine(), TimeUnit.MILLISECONDS.toNanos(millis), task);
	}

	private void answered(Call call, @Nullable LockHandle handle, @Nullable Throwable failure) {
		call.answered = true;
		long tookNanos = this.world.scheduler().nowNanos() - call.beganNanos;
		if (tookNanos > TimeUnit.MILLISECONDS.toNanos(call.decision.first() + PATIENCE_MILLIS)
				+ this.world.delayedNanos(call.beganNanos)) {
			throw new Violation(call + " is answered " + tookNanos / 1_000_000 + " ms after it began");
		}
		if (handle == null) {
			this.world.trace(0);
			this.world.note(() -> call + " does not acquire " + call.request.name() + ": " + failure);
			call.endedNanos = this.world.scheduler().nowNanos();
			checkPrompt(call);
			this.inspections.refused(call, failure);
			if (failure != null && call.probe && !call.jvm.isGone()) {
				throw new Violation("long after the last fault " + call + " can't acquire " + call.request.name()
						+ ((failure instanceof LockUnavailableException) ? ": " : " that nobody holds: ") + failure);
			}
			call.next.run();
			return;
		}
		acquired(call, handle);
	}

	private void acquired(Call call, LockHandle handle) {
		this.sections++;
		call.handle = handle;
		this.shares[call.decision.jvm()] += call.competes ? 1 : 0;
		if (!call.decision.has(Decision.DROPPED)) { // or somebody would want to know
			if (listensLate(call)) {
				after(call, call.decision.second() / 2, () -> listen(call, handle));
			}
			else {
				listen(call, handle);
			}
		}
		checkPrompt(call);
		long beganNanos = this.world.scheduler().nowNanos();
		List<Runnable> ends = new ArrayList<>();
		for (int lock : locks(call)) {
			String name = History.name(lock);
			long token = handle.fencingToken(name);
			this.world.trace(token);
			this.world.note(() -> call + " holds " + name + " with token " + token);
			if (this.faultless && this.history.locks().get(lock) == LockKind.FAIR && this.history.servers() == 1) {
				checkOrder(call, lock);
			}
			Rules rules = this.rules.get(lock);
			long now = this.world.scheduler().nowNanos();
			Holder holder = new Holder(call.jvm, call.toString(), handle, call.request.permits(), now);
			rules.begins(holder, now);
			if (holder.permits() == 1) {
				rules.checkOwnTokens(holder);
			}
			if (!handle.isHeld() || handle.remainingLease().isZero()) {
				throw new Violation(call + " gets " + name + " although its lease is over");
			}
			ends.add(() -> end(call, rules, holder));
		}
		checkActivity(call, call.request.names().stream().map(handle::fencingToken).toList());
		if (call.decision.has(Decision.DOWNGRADED) && !call.decision.has(Decision.KEPT) && call.request.isExclusive()
				&& call.request.names().size() == 1) {
			after(call, call.decision.second() / 2, () -> downgrade(call, handle));
		}
		after(call, call.decision.second(), () -> {
			ends.forEach(Runnable::run);
			if ((this.world.isCalm() || this.repaired) && call.request.renew() == null
					&& call.request.maxHoldTime() == null && !handle.isHeld()) {
				throw new Violation(call + " has lost " + call.request.name() + " without a fault");
			}
			call.endedNanos = this.world.scheduler().nowNanos();
			Duration most = call.request.maxHoldTime();
			if (most != null && handle.isHeld() && call.endedNanos - beganNanos > most.toNanos()) {
				throw new Violation(call + " holds " + call.request.name() + " for longer than its maximum hold time");
			}
			boolean dropped = call.decision.has(Decision.DROPPED);
			this.world.note(() -> call + (dropped ? " drops " : " releases ") + call.request.name()
					+ (handle.isHeld() ? "" : ", which it has lost"));
			if (dropped) {
				SimulatedHolds.collect(handle);
			}
			else {
				checkTold(call, handle);
				handle.closeAsync();
				checkActivity(call, List.of());
			}
			call.next.run();
		});
	}

	/** A JVM tells for which locks a call holds which tokens. */
	private void checkActivity(Call call, List<Long> tokens) {
		List<Long> told = call.jvm.locks()
			.activity()
			.held()
			.stream()
			.filter((held) -> call.toString().equals(held.reason()))
			.sorted(Comparator.comparing(Held::name))
			.map(Held::fencingToken)
			.toList();
		if (!told.equals(tokens)) {
			throw new Violation(call + " holds tokens " + tokens + ", but its JVM tells of " + told);
		}
	}

	/** Some want to know only later, when the lock may be lost already. */
	private static boolean listensLate(Call call) {
		return call.number % 3 == 0 && call.decision.second() > 1;
	}

	private void listen(Call call, LockHandle handle) {
		call.listens = true;
		handle.onLost(() -> lost(call, handle));
	}

	/** A callback, which may ask the library. */
	private void lost(Call call, LockHandle handle) {
		this.world.note(() -> call + " is told that it has lost " + call.request.name());
		boolean noted = !call.jvm.locks().activity().lost().isEmpty();
		if (handle.isHeld() || handle.loss() == null || call.told || !(noted || listensLate(call))) {
			this.world.fail(call + " is told of a loss " + (call.told ? "twice" : "that is none"));
		}
		call.told = true;
	}

	/** A holder that has lost its lock is told within a third of the lease. */
	private void checkTold(Call call, LockHandle handle) {
		long now = this.world.scheduler().nowNanos();
		if (!handle.isHeld() && !SimulatedHolds.isInDoubt(handle)) {
			long thirdNanos = TimeUnit.MILLISECONDS.toNanos(this.history.leaseMillis()) / 3;
			this.world.scheduler().after(new Scheduler.Machine(), thirdNanos, () -> {
				if (call.listens && !call.told && !call.jvm.isGone() && call.jvm.machine().hasRunSince(now)) {
					this.world.fail(call + " is not told that it has lost " + call.request.name());
				}
			});
		}
	}

	/**
	 * Without faults nobody waits for a single lock that is free, nor for long after
	 * packets were lost.
	 */
	private void checkPrompt(Call call) {
		if (this.prompt && !call.decision.has(Decision.INTERRUPTED)) {
			long sinceNanos = this.history.hasOnlyCalls() ? call.beganNanos
					: Math.max(call.beganNanos, this.world.repairedNanos());
			this.rules.get(0)
				.waited(call.toString(), sinceNanos, this.world.scheduler().nowNanos(),
						(this.history.servers() > 1 || this.history.silentJvm() >= 0) ? POLLED_NANOS : PROMPT_NANOS);
		}
	}

	/** A lock is lost, which its holders have to learn. */
	void lost(int lock, Node at, boolean pushed) {
		if (!this.history.isOnlyOf(pushed ? Kind.FORCE : Kind.EVICT)) {
			return;
		}
		boolean redlock = this.history.servers() > 1;
		long nanos = (pushed && !redlock) ? PUSHED_NANOS
				: TimeUnit.MILLISECONDS.toNanos(this.history.leaseMillis()) / 3 + PUSHED_NANOS;
		Scheduler scheduler = this.world.scheduler();
		for (Call call : this.calls) {
			LockHandle handle = call.handle;
			boolean renewed = call.request.renew() == null && call.request.maxHoldTime() == null;
			if (handle != null
					&& ((pushed && !redlock)
							|| (renewed && call.request.isExclusive() && !call.decision.has(Decision.DOWNGRADED)))
					&& call.decision.lock() == lock && handle.isHeld()
					&& at.holds(History.name(lock), SimulatedHolds.owner(handle, History.name(lock)))) {
				scheduler.after(new Scheduler.Machine(), nanos, () -> {
					if (handle.isHeld()) {
						this.world.fail(call + " does not learn that it has lost " + call.request.name());
					}
				});
				// neither passed on nor retained
				scheduler.after(new Scheduler.Machine(), nanos + PUSHED_NANOS, () -> {
					if (call.request.fair() && !redlock && call.listens && !call.told) {
						this.world.fail(call + " is not told that it had lost " + call.request.name());
					}
				});
			}
		}
	}

	private void end(Call call, Rules rules, Holder holder) {
		long now = this.world.scheduler().nowNanos();
		rules.ends(holder, now);
		Duration kept = call.request.minHoldTime();
		if (kept != null && (this.history.hasOnlyCalls() || this.prompt || this.world.isSearched())) {
			rules.keptUntil(SimulatedHolds.sinceNanos(holder.handle(), rules.lock()) + kept.toNanos());
		}
		if (this.prompt && call.decision.has(Decision.DROPPED)) {
			rules.leftUntil(now + TimeUnit.MILLISECONDS.toNanos(this.history.leaseMillis()));
		}
	}

	/** Shares a lock from now on. */
	private void downgrade(Call call, LockHandle handle) {
		this.world.note(() -> call + " shares " + call.request.name());
		this.rules.get(call.decision.lock()).shares(handle);
		SimulatedHolds.downgrade(handle);
	}

	private List<Integer> locks(Call call) {
		return call.request.names().stream().map(this.history.names()::indexOf).toList();
	}

	/** Nobody has waited for a fair lock for longer. */
	private void checkOrder(Call acquired, int lock) {
		long now = this.world.scheduler().nowNanos();
		for (Call call : this.calls) {
			long waitNanos = TimeUnit.MILLISECONDS.toNanos(call.decision.first());
			// a call for several locks may have requested this one later
			if (call.decision.lock() == lock && call.request.names().size() == 1 && !call.answered && call.begun
					&& !call.decision.has(Decision.CANCELLED) && now - call.beganNanos < waitNanos
					&& acquired.beganNanos - call.beganNanos > FAIR_NANOS) {
				throw new Violation(acquired + " acquires the fair " + History.name(lock) + " before " + call);
			}
		}
	}

}
