package io.github.lockboot.simulation;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockState;
import io.github.lockboot.engine.SimulatedHolds;
import io.github.lockboot.simulation.Rules.Holder;
import io.github.lockboot.simulation.Rules.Violation;

/** What JVMs learn about the holders of locks, and whether that is true. */
final class Inspections {

	/** How long a JVM looks at most for the holder of a busy lock. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	/** Without faults: how long a lock outlives its call, such as by a retention. */
	private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** After this time other JVMs know all about a hold, as docs/monitoring.md says. */
	private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(3);

	private final World world;

	private final List<Rules> rules;

	private final List<Jvm> jvms;

	private final List<Call> calls;

	private final boolean faultless;

	Inspections(World world, History history, List<Rules> rules, List<Jvm> jvms, List<Call> calls) {
		this.world = world;
		this.rules = rules;
		this.jvms = jvms;
		this.calls = calls;
		this.faultless = history.isFaultless() && !world.isSearched();
	}

	/** Lets a JVM ask who holds a lock. */
	void inspect(Jvm jvm, int lock) {
		this.world.scheduler().after(jvm.machine(), 0, () -> {
			if (jvm.isGone()) {
				return;
			}
			long askedNanos = now();
			SimulatedHolds.inspect(jvm.locks(), History.name(lock)).whenComplete((state, failure) -> {
				try {
					inspected(jvm, lock, state, failure, askedNanos);
				}
				catch (Violation ex) { // which the stage would hide
					this.world.fail(Objects.requireNonNull(ex.getMessage()));
				}
			});
		});
	}

	private void inspected(Jvm jvm, int lock, @Nullable LockState state, @Nullable Throwable failure, long askedNanos) {
		this.world.note(() -> jvm.name() + " asks who holds " + History.name(lock) + ": "
				+ ((state != null) ? state.heldBy() : failure));
		if (state == null) {
			if (this.faultless) {
				throw new Violation(jvm.name() + " does not learn who holds " + History.name(lock) + ": " + failure);
			}
			return;
		}
		this.world.trace(state.heldBy().size());
		check(jvm.name(), lock, state.heldBy(), askedNanos);
		Holder alone = this.rules.get(lock).aloneSince(askedNanos);
		if (this.faultless && alone != null) {
			checkKnown(jvm.name(), alone, state, askedNanos);
		}
	}

	private void checkKnown(String who, Holder alone, LockState state, long askedNanos) {
		if (!state.isHeld() || state.heldBy().size() != 1) {
			throw new Violation(who + " learns that " + state.heldBy() + " hold " + state.name() + ", which only "
					+ alone + " holds");
		}
		LockState.Holder named = state.heldBy().get(0);
		if (askedNanos - alone.sinceNanos() > KNOWN_NANOS && !alone.call().equals(named.reason())) {
			throw new Violation(who + " does not learn that " + alone + " holds " + state.name() + ", but: " + named);
		}
	}

	/** Checks whom a caller blames that has waited in vain for one lock. */
	void refused(Call call, @Nullable Throwable failure) {
		if (failure instanceof LockNotAcquiredException busy && call.request.names().size() == 1) {
			this.world.trace(busy.heldBy().size());
			long now = now();
			check(call.toString(), call.decision.lock(), busy.heldBy(),
					now - LOOK_NANOS - this.world.delayedNanos(now));
		}
	}

	/** Checks that holders are unknown, or have held the lock since a time. */
	private void check(String who, int lock, List<LockState.Holder> heldBy, long askedNanos) {
		String name = History.name(lock);
		Holder alone = this.rules.get(lock).aloneSince(askedNanos);
		for (LockState.Holder named : heldBy) {
			Jvm jvm = this.jvms.stream()
				.filter((each) -> named.owner().startsWith(each.store().instance() + ":"))
				.findFirst()
				.orElseThrow(() -> new Violation(who + " learns that " + named + " holds " + name));
			if (alone != null && alone.jvm() != jvm) {
				throw new Violation(
						who + " learns that " + jvm.name() + " holds " + name + ", which " + alone + " holds");
			}
			if (named.application() != null && !named.application().equals(jvm.name())) {
				throw new Violation(who + " learns that " + named + " holds " + name + ", but it is " + jvm.name());
			}
			if (named.reason() != null
					&& !mayHold(jvm, name, named.reason(), this.faultless ? askedNanos - KNOWN_NANOS : 0)) {
				throw new Violation(who + " learns that " + named + " holds " + name + ", which has not held it");
			}
			if (this.faultless && !mayHold(jvm, name, null, askedNanos - LATE_NANOS)) {
				throw new Violation(
						who + " learns that " + jvm.name() + " holds " + name + " long after its last call");
			}
		}
	}

	private boolean mayHold(Jvm jvm, String lock, @Nullable String reason, long sinceNanos) {
		return this.calls.stream()
			.anyMatch((call) -> call.jvm == jvm && call.mayHold(lock, sinceNanos)
					&& (reason == null || reason.equals(call.toString())));
	}

	private long now() {
		return this.world.scheduler().nowNanos();
	}

}
