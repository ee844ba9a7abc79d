package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.engine.store.LockOwner;

/**
 * A lease that an attempt of this JVM owns, and the callers that hold it: one after the
 * other, or at the same time if it is shared. Knows nothing of the waiters. Guarded by
 * the mutex of its {@link LockQueue}.
 */
final class OwnedLease {

	/** A store that takes longer than this to answer to a release counts as failing. */
	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final Lease lease;

	private final LeaseKeeper keeper;

	private final boolean shared;

	private final long beganNanos;

	private final Collection<Hold> holders;

	private State state = State.HELD;

	private long releasedNanos;

	OwnedLease(Lease lease, LeaseKeeper keeper, boolean shared, long nowNanos) {
		this.lease = lease;
		this.keeper = keeper;
		this.shared = shared;
		this.beganNanos = nowNanos;
		this.holders = shared ? new LinkedHashSet<>() : new ArrayList<>(1);
	}

	Lease lease() {
		return this.lease;
	}

	LeaseKeeper keeper() {
		return this.keeper;
	}

	LockOwner attempt() {
		return this.lease.attempt();
	}

	boolean isOf(String owner) {
		return attempt().id().equals(owner);
	}

	boolean isHeld() {
		return this.state == State.HELD;
	}

	boolean isHeldBy(Hold hold) {
		return this.holders.contains(hold);
	}

	List<Hold> holders() {
		return List.copyOf(this.holders);
	}

	/** Return the one that has held it for longest. */
	@Nullable Hold firstHolder() {
		Iterator<Hold> iterator = this.holders.iterator();
		return iterator.hasNext() ? iterator.next() : null;
	}

	long ownedForNanos(long nowNanos) {
		return nowNanos - this.beganNanos;
	}

	void add(Hold hold) {
		this.holders.add(hold);
	}

	/**
	 * Adopt the length that a new holder wants, of several holders the longest.
	 */
	Effect adopt(long leaseMillis) {
		long wanted = this.shared ? Math.max(leaseMillis, attempt().leaseMillis()) : leaseMillis;
		return this.lease.adopt(wanted) ? this.keeper::renewNow : Effect.NONE;
	}

	/** Whether a caller may share the lease without asking the store. */
	boolean mayBeJoined(long leaseMillis, long nowNanos) {
		return this.shared && isHeld() && hasHalfOf(leaseMillis, nowNanos);
	}

	/** Whether a holder may pass the lease on without asking the store. */
	boolean mayBePassed(Hold hold, Waiter next, long nowNanos) {
		return !this.shared && hold.keptUntilNanos() - nowNanos <= 0 && !hold.isDowngraded() && next.isRenewed()
				&& hasHalfOf(next.leaseMillis(), nowNanos);
	}

	private boolean hasHalfOf(long leaseMillis, long nowNanos) {
		return this.lease.remainingNanos(nowNanos) >= TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 2;
	}

	/** Remove a holder and return whether it was the last one. */
	boolean remove(Hold hold) {
		this.holders.remove(hold);
		return this.holders.isEmpty();
	}

	/** The last holder has released it. */
	void releasing(long nowNanos) {
		enter(State.RELEASING);
		this.releasedNanos = nowNanos;
		this.keeper.stop();
	}

	void released() {
		enter(State.RELEASED);
	}

	/** Return the holders that lose it. */
	List<Hold> lost() {
		enter(State.LOST);
		this.keeper.stop();
		List<Hold> losers = holders();
		this.holders.clear();
		return losers;
	}

	private void enter(State next) {
		Assert.state(this.state.mayBecome(next), () -> "A lease that is " + this.state + " can't become " + next);
		this.state = next;
	}

	/** Return the outcome for a waiter that leaves now. */
	Outcome refusal(long nowNanos) {
		if (!isHeld() && nowNanos - this.releasedNanos > SLOW_NANOS) {
			return new Outcome.Failed(new IllegalStateException("no answer to the release of the holder before for "
					+ TimeUnit.NANOSECONDS.toMillis(nowNanos - this.releasedNanos) + " ms"));
		}
		return new Outcome.Busy(TimeUnit.NANOSECONDS.toMillis(this.lease.remainingNanos(nowNanos)));
	}

	/**
	 * What has become of an {@link OwnedLease}. The page docs/engine.md draws it.
	 */
	enum State {

		/** Callers hold it, and it is renewed. */
		HELD,

		/** Its last holder has released it; the store has not answered. */
		RELEASING,

		/** The store has answered, or nobody waits for its answer any longer. */
		RELEASED,

		/** It is over, and its holders are notified. */
		LOST;

		boolean mayBecome(State next) {
			return switch (this) {
				case HELD -> next == RELEASING || next == LOST;
				case RELEASING -> next == RELEASED || next == LOST;
				case RELEASED, LOST -> false;
			};
		}

	}

}
