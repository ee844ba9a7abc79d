package io.github.lockboot.engine;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

/**
 * An attempt of this JVM at a lock, which represents callers in the store: one of them,
 * or all that request the lock in the same way. An attempt is a {@link PendingAcquire}
 * first, and may then have an {@link OwnedLease}. When the lease ends, another attempt
 * represents the callers that still wait. Guarded by the mutex of the {@link LockQueue},
 * unless a method says otherwise.
 */
final class Attempt {

	/** Whether the attempt is for one caller only. */
	private final boolean alone;

	/** The callers that wait, in order of arrival. */
	private Set<Waiter> waiters;

	/** Present until the attempt owns the lock and has no request under way. */
	private volatile @Nullable PendingAcquire pending;

	/** Present once there is something to note. */
	private @Nullable Turn turn;

	/** All requests for the lock. */
	private final LockRequests requests;

	private volatile State state = State.NEW;

	private volatile boolean waitedBehind;

	/** Whether the lease was at risk. */
	private boolean atRisk;

	/** Present once the attempt has owned the lock. */
	private @Nullable OwnedLease owned;

	Attempt(PendingAcquire pending, boolean alone, Set<Waiter> waiters, @Nullable Turn turn, LockRequests requests) {
		this.pending = pending;
		this.alone = alone;
		this.waiters = waiters;
		this.turn = turn;
		this.requests = requests;
	}

	String id() {
		return inStore().id();
	}

	/** Return the attempt as the store knows it. This method needs no mutex. */
	LockAttempt inStore() {
		PendingAcquire pending = this.pending;
		return (pending != null) ? pending.attempt() : Objects.requireNonNull(this.owned).lease().attempt();
	}

	boolean isAlone() {
		return this.alone;
	}

	/** Return whether several callers may hold the lock by this attempt. */
	boolean isShared() {
		return permits() > 1 && !this.alone;
	}

	int permits() {
		return inStore().permits();
	}

	/** Return the callers that wait, to be read. */
	Set<Waiter> waiters() {
		return this.waiters;
	}

	void add(Waiter waiter) {
		this.waiters = with(this.waiters, waiter);
	}

	void remove(Waiter waiter) {
		this.waiters = without(this.waiters, waiter);
	}

	/**
	 * Add an element to a set, which is immutable and small unless it has several
	 * elements, and return the set that has it.
	 */
	static <T> Set<T> with(Set<T> set, T element) {
		if (set.isEmpty()) {
			return Collections.singleton(element);
		}
		Set<T> several = (set.size() == 1) ? new LinkedHashSet<>(set) : set;
		several.add(element);
		return several;
	}

	/** Remove an element from such a set, and return the set that does not have it. */
	static <T> Set<T> without(Set<T> set, T element) {
		if (set.size() > 1) {
			set.remove(element);
			return set;
		}
		return set.contains(element) ? Set.of() : set;
	}

	/** Return the elements of such a set, which may change meanwhile. */
	static <T> Collection<T> copy(Set<T> set) {
		return (set.size() > 1) ? List.copyOf(set) : set;
	}

	@Nullable Waiter first() {
		return this.waiters.isEmpty() ? null : this.waiters.iterator().next();
	}

	PendingAcquire pending() {
		return Objects.requireNonNull(this.pending);
	}

	Turn turn() {
		Turn turn = (this.turn != null) ? this.turn : this.requests.turn(permits());
		this.turn = turn;
		return turn;
	}

	/**
	 * Note that a lease begins or was renewed, while a number of other attempts waited.
	 */
	void noteQueued(Lease lease, long queued, long nowNanos) {
		if (queued > 0) {
			queuedBehind();
		}
		if (this.turn != null || queued == LockStore.POLLED_QUEUE) {
			turn().renewed(lease, queued, nowNanos);
		}
	}

	/** Return all requests for the lock. */
	LockRequests requests() {
		return this.requests;
	}

	/** Issue a token, unless this JVM has already issued it or a higher one. */
	boolean issue(long token) {
		long seen = this.requests.seen(token);
		return (permits() > 1) ? token >= seen : token > seen;
	}

	/** Own the lock instead of requesting it. */
	void own(OwnedLease owned) {
		this.owned = owned; // before the requests go, for readers without the mutex
		this.pending = pending().isUnderWay() ? this.pending : null;
	}

	@Nullable OwnedLease owned() {
		return this.owned;
	}

	/** Return the lease as long as it may be used: it is held or retained. */
	@Nullable OwnedLease renewed() {
		return isRenewed() ? this.owned : null;
	}

	/**
	 * Note that another JVM waits behind this attempt, and return whether the lock is
	 * retained. A reply may report such a JVM before or after a push does, so nothing
	 * resets this. This method needs no mutex, for which passing threads compete.
	 */
	boolean queuedBehind() {
		this.waitedBehind = true;
		return isRetained();
	}

	boolean isWaitedBehind() {
		return this.waitedBehind;
	}

	/** Return true once, for the first risk of the lease. */
	boolean isFirstRisk() {
		boolean first = !this.atRisk;
		this.atRisk = true;
		return first;
	}

	/** Return the outcome for a waiter that leaves now. */
	Outcome refusal(long nowNanos) {
		OwnedLease owned = renewed();
		return (owned != null) ? new Outcome.Busy(owned.lease().remainingMillis(nowNanos))
				: isAsking() ? pending().refusal(nowNanos) : new Outcome.Busy(-1);
	}

	// ---- states

	State state() {
		return this.state;
	}

	void enter(State next) {
		Assert.state(this.state.mayBecome(next), () -> "An attempt that is " + this.state + " can't become " + next);
		this.state = next;
	}

	/** Return whether the attempt requests the lock, or has a lease. */
	boolean isActive() {
		return isAsking() || isRenewed();
	}

	boolean isEnded() {
		return this.state == State.ENDED;
	}

	/** Return whether the attempt requests the lock. */
	boolean isAsking() {
		return this.state == State.ACQUIRING || this.state == State.WAITING;
	}

	boolean isWaiting() {
		return this.state == State.WAITING;
	}

	/** Return whether the attempt waits for its own time, without a place in a queue. */
	boolean isPausing() {
		return isWaiting() && !pending().place().isAgain();
	}

	boolean isHeld() {
		return this.state == State.HELD;
	}

	boolean isRetained() {
		return this.state == State.RETAINED;
	}

	boolean isReleasing() {
		return this.state == State.RELEASING;
	}

	/** Return whether the attempt has a lease, which is renewed. */
	boolean isRenewed() {
		return isHeld() || isRetained();
	}

	/** The states of an attempt. The page docs/engine.md shows the states. */
	enum State {

		/** Nothing was requested yet. */
		NEW,

		/** The store has a request for the lock and has not replied. */
		ACQUIRING,

		/** The store queues the attempt, or the next request waits for its time. */
		WAITING,

		/** Callers hold the lease, and the lease is renewed. */
		HELD,

		/** Nobody holds the lease, which is renewed for the next caller of this JVM. */
		RETAINED,

		/** The release is decided, and the store has not replied. */
		RELEASING,

		/** The attempt does not own the lock any more, or never did. */
		ENDED;

		boolean mayBecome(State next) {
			return switch (this) {
				case NEW -> next == ACQUIRING || next == WAITING;
				case ACQUIRING, WAITING -> isAcquiring(next) || next == HELD || next == ENDED;
				case HELD -> next == RETAINED || next == RELEASING || next == ENDED;
				case RETAINED -> next == HELD || next == RELEASING || next == ENDED;
				case RELEASING -> next == ENDED;
				case ENDED -> false;
			};
		}

		private static boolean isAcquiring(State next) {
			return next == ACQUIRING || next == WAITING;
		}

	}

}
