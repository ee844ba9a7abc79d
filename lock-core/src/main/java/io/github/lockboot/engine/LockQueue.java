package io.github.lockboot.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.concurrent.Effect;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.OrderedChanges;
import io.github.lockboot.engine.store.LockPushes;

/**
 * The callers of this JVM that request one lock, in order of arrival, and the one attempt
 * that represents these callers in the store: a {@link PendingAcquire} until the attempt
 * owns the lock, then an {@link OwnedLease}. The page docs/engine.md shows the states of
 * both. All changes happen under one mutex, and each change returns the {@link Effect}
 * that follows once the mutex is free, in the order of the changes.
 * <p>
 * Passing a lease within a JVM follows lock cohorting (Dice, Marathe, Shavit: Lock
 * Cohorting, PPoPP 2012).
 */
final class LockQueue {

	private final LockEngine engine;

	private final MonotonicClock clock;

	private final String lock;

	/** How many callers may hold the lock together, including one of this queue. */
	private final int permits;

	/** Whether the queue is for one caller only. */
	private final boolean alone;

	private final OrderedChanges changes;

	private final Set<Waiter> waiters = new LinkedHashSet<>();

	private State state = State.NEW;

	/** Whether further callers need another queue. */
	private boolean closed;

	/** Present while {@link State#ACQUIRING} or {@link State#WAITING}. */
	private @Nullable PendingAcquire pending;

	/** Present while {@link State#OWNED}. */
	private volatile @Nullable OwnedLease owned;

	private final Turn turn;

	private LockMemory memory;

	LockQueue(LockEngine engine, String lock, int permits, boolean alone, LockMemory memory) {
		this.engine = engine;
		this.clock = engine.clock();
		this.changes = new OrderedChanges(this.clock);
		this.lock = lock;
		this.permits = permits;
		this.alone = alone;
		this.memory = memory;
		this.turn = new Turn((permits == 1 || memory.slice() == null) ? memory.slice() : new TimeSlice());
	}

	String lock() {
		return this.lock;
	}

	int permits() {
		return this.permits;
	}

	// ---- callers

	/**
	 * Admit a caller, or return false if the queue is closed and the caller needs another
	 * queue.
	 */
	boolean admit(Waiter waiter) {
		return transit(() -> {
			Effect after = joinHolders(waiter);
			if (this.closed && !waiter.isDone()) {
				return null;
			}
			return waiter.isDone() ? after : add(waiter);
		});
	}

	private Effect add(Waiter waiter) {
		boolean busy = this.state == State.WAITING || (this.owned != null && this.owned.isHeld());
		if (waiter.isLeaving() && busy) {
			waiter.complete(refusal());
			return Effect.NONE;
		}
		this.waiters.add(waiter);
		if (this.owned != null && this.owned.isRetained()) {
			return this.owned.retake(waiter);
		}
		return (this.state == State.NEW) ? begin(waiter) : Effect.NONE;
	}

	/** Request the lock for a caller, at once unless other JVMs take precedence. */
	private Effect begin(Waiter first) {
		long now = now();
		return request(first, this.turn.requestNanos(first, now), now, first.blockNanos());
	}

	private Effect request(Waiter first, long requestNanos, long nowNanos, long blockNanos) {
		PendingAcquire pending = new PendingAcquire(this, this.engine, this.engine.newAttempt(this, first),
				requestNanos);
		this.pending = pending;
		return (requestNanos - nowNanos <= 0) ? pending.send(first, blockNanos) : pending.await();
	}

	/**
	 * Let a caller join the holders of a shared lock. If another JVM waits, the caller
	 * has to queue in the store, and needs another queue in this JVM.
	 */
	private Effect joinHolders(Waiter waiter) {
		OwnedLease owned = this.owned;
		if (this.closed || !isShared() || owned == null || !owned.isHeld()) {
			return Effect.NONE;
		}
		if (owned.mayBeJoined(waiter)) {
			return owned.join(waiter);
		}
		close();
		return Effect.NONE;
	}

	/**
	 * End the wait of a caller whose wait time is over. The caller leaves with the
	 * outcome known so far. If the first request of the first caller has no reply yet,
	 * the caller leaves with the reply, unless the reply takes too long.
	 */
	void expire(Waiter waiter) {
		transit(() -> {
			long now = now();
			long graceNanos = (this.pending != null && first() == waiter) ? this.pending.graceNanos(now) : 0;
			if (graceNanos <= 0) {
				return remove(waiter);
			}
			waiter.leaveAtNextReply();
			MonotonicClock.Timer limit = this.clock.schedule(now + graceNanos, () -> expire(waiter));
			waiter.whenComplete((outcome, failure) -> limit.cancel());
			return Effect.NONE;
		});
	}

	/**
	 * Let a caller whose wait time has no limit leave if the store fails all the time,
	 * and return after which time to check again.
	 */
	long expireIfFailing(Waiter waiter, long patienceNanos) {
		long[] leftNanos = new long[1];
		transit(() -> {
			long failingNanos = (this.pending != null) ? this.pending.failingNanos(now()) : 0;
			leftNanos[0] = patienceNanos - failingNanos;
			return (leftNanos[0] <= 0) ? remove(waiter) : Effect.NONE;
		});
		return leftNanos[0];
	}

	/**
	 * Remove a caller that has cancelled its request, or whose wait has failed. The
	 * caller may hold the lock by now.
	 */
	void leave(Waiter waiter) {
		transit(() -> remove(waiter));
		waiter.complete(new Outcome.Busy(-1)); // unless it was, or its request has failed
		if (waiter.join() instanceof Hold hold) {
			hold.discard();
		}
	}

	private Effect remove(Waiter waiter) {
		if (!this.waiters.remove(waiter)) {
			return Effect.NONE;
		}
		waiter.complete(refusal());
		return giveUpIfWaitingForNobody();
	}

	/** Refuse the waiters that shutdown no longer admits. */
	void dismiss(Function<Waiter, @Nullable Outcome> refusals) {
		transit(() -> {
			this.waiters.removeIf((waiter) -> {
				Outcome refusal = refusals.apply(waiter);
				return refusal != null && waiter.complete(refusal);
			});
			return releaseRetainedIf(true).then(giveUpIfWaitingForNobody());
		});
	}

	void report(List<Hold> holds, List<Waiter> waiters) {
		transit(() -> {
			waiters.addAll(this.waiters);
			if (this.owned != null) {
				holds.addAll(this.owned.holders());
			}
			return Effect.NONE;
		});
	}

	// ---- acquiring

	/** Return whether the attempt represents the callers of this queue. */
	boolean isPending(PendingAcquire pending) {
		return this.pending == pending;
	}

	/** Return whether the attempt waits for the time of its next request. */
	boolean isWaitingFor(PendingAcquire pending) {
		return this.state == State.WAITING && isPending(pending);
	}

	/** Note that another JVM owns the lock. */
	void ownedElsewhere() {
		this.turn.ownedElsewhere();
		dismissLeaving();
	}

	/** Request the lock again: it is time, or a push may have been missed. */
	void requestAgain() {
		transit(this::requestAgainIfWaiting);
	}

	/**
	 * Note that the lock may be free. A queue that gives other JVMs precedence has not
	 * sent a request yet, and continues its pause.
	 */
	void releasedElsewhere() {
		transit(() -> (this.pending != null && this.pending.released()) ? requestAgainIfWaiting() : Effect.NONE);
	}

	/** Repeat the request, because pushes may have been missed. */
	void missed() {
		transit(() -> releaseRetainedIf(true).then(requestAgainIfWaiting()));
	}

	Effect requestAgainIfWaiting() {
		return (this.state == State.WAITING && this.pending != null) ? this.pending.repeat() : Effect.NONE;
	}

	/** Note that an attempt that waited in the store owns the lock now. */
	void granted(LockPushes.Grant grant) {
		// it may be pushed twice
		transit(() -> (this.pending != null && this.pending.isOf(grant.attempt())) ? this.pending.granted(grant)
				: Effect.NONE);
	}

	/** Return the highest token that this JVM has issued. */
	long seenToken() {
		return this.memory.seenToken().get();
	}

	/** Issue a token, unless this JVM has already issued it or a higher one. */
	boolean issue(long token) {
		return this.memory.issue(token, this.permits > 1);
	}

	/** Note that a holder of the lock had this token of the store. */
	void seen(long storeToken) {
		this.memory.seen(storeToken);
	}

	private Effect giveUpIfWaitingForNobody() {
		return (this.state == State.WAITING && this.pending != null && this.waiters.isEmpty()) ? giveUp(this.pending)
				: Effect.NONE;
	}

	/** End with the attempt, because the last waiter has left. */
	Effect giveUp(PendingAcquire pending) {
		pending.stop();
		finish();
		return pending.leave();
	}

	// ---- owning the lock

	/** Own the lock instead of requesting it. */
	Effect own(PendingAcquire pending, Lease lease) {
		this.pending = null;
		enter(State.OWNED);
		OwnedLease owned = new OwnedLease(this, this.engine, this.turn, lease, isShared());
		this.owned = owned;
		pending.end(owned);
		renewed(owned, lease.queued());
		Effect after = owned.begin();
		pending.stop(); // only now, because the caller that was woken already runs
		dismissLeaving();
		return after;
	}

	/** End the wait of a caller that holds the lock now. */
	void grant(Waiter waiter, Hold hold) {
		this.waiters.remove(waiter);
		waiter.complete(hold);
	}

	/** Note that the lease was renewed while other attempts waited in the store. */
	Effect renewed(OwnedLease owned, long queued) {
		this.turn.renewed(owned.lease(), queued, now());
		return isWaitedBehind(owned) ? recall() : releaseRetainedIf(owned.lease().isPolled());
	}

	/** Note that another JVM waits behind an attempt of this queue. */
	void queuedBehind(String attempt) {
		this.turn.queuedBehind(attempt);
		OwnedLease owned = this.owned;
		if (owned != null && owned.isRetained()) {
			transit(() -> (this.owned != null && isWaitedBehind(this.owned)) ? recall() : Effect.NONE);
		}
	}

	private boolean isWaitedBehind(OwnedLease owned) {
		return this.turn.isWaitedBehind(owned.attempt());
	}

	/**
	 * Revalidate the lock: the lease may be lost, or a push missed.
	 * @param reason why the lease is lost if the store no longer knows it
	 */
	void revalidate(String reason) {
		transit(() -> (this.owned != null) ? this.owned.revalidate(reason) : requestAgainIfWaiting());
	}

	/** Lose the lock that the store has taken away from an attempt. */
	void taken(String attempt, String reason, boolean mayBeOurs) {
		transit(() -> (this.owned != null && this.owned.isRenewed() && this.owned.attempt().id().equals(attempt))
				? this.owned.lose(reason, mayBeOurs) : Effect.NONE);
	}

	/** Take the lock away from its holders. */
	void takeAway(String reason) {
		transit(() -> (this.owned != null && this.owned.isHeld()) ? this.owned.lose(reason, true) : Effect.NONE);
	}

	// ---- retaining

	/**
	 * Return whether this JVM may keep the lock for its next caller. After retentions in
	 * vain, some releases pass without a retention.
	 */
	boolean mayRetain() {
		if (this.alone || !this.engine.isOpen()) {
			return false;
		}
		boolean again = this.memory.backoff().isOver();
		this.memory = this.memory.backoff(this.memory.backoff().released());
		return again;
	}

	/** Release the lock if nobody holds it. */
	void releaseRetained() {
		transit(() -> releaseRetainedIf(true));
	}

	private Effect releaseRetainedIf(boolean condition) {
		return (condition && this.owned != null && this.owned.isRetained()) ? this.owned.releaseRetained()
				: Effect.NONE;
	}

	/** Release a lock that may be retained, because another JVM wants it. */
	private Effect recall() {
		if (this.owned == null || !this.owned.isRetained()) {
			return Effect.NONE;
		}
		this.memory = this.memory.backoff(this.memory.backoff().recalled(this.owned.isRetaken()));
		return this.owned.releaseRetained();
	}

	/** Note that no other JVM waited for the lock when it was released. */
	Effect noteNobodyWaited() {
		boolean pausing = this.turn.noteNobodyWaited();
		return (this.state != State.ENDED) ? endPauseForOthers(pausing)
				: () -> this.engine.noteNobodyWaited(this.lock, pausing);
	}

	/** Note that nobody waited for the lock when a former queue released it. */
	void noteNobodyWaitedBefore(boolean pausing) {
		transit(() -> endPauseForOthers(pausing));
	}

	private Effect endPauseForOthers(boolean pausing) {
		if (this.owned != null) { // the reply came before or after the state changed
			this.turn.beginSlice(now());
		}
		return pausing ? requestAgainIfWaiting() : Effect.NONE;
	}

	/**
	 * Continue after the lease was lost, its release was sent, or the lease came too
	 * late. The waiters request the next lease, at once or after a pause for other JVMs
	 * that poll.
	 */
	Effect requestNextLease(boolean polled) {
		this.owned = null;
		Waiter first = first();
		if (first == null) {
			this.turn.noteNoCallerWaits(now());
			finish();
			return Effect.NONE;
		}
		long now = now();
		return request(first, this.turn.nextRequestNanos(polled, now), now, 0);
	}

	// ---- states

	/**
	 * Make a change under the mutex. Its effect follows those of earlier changes, so that
	 * commands reach the store in the order in which they were decided. A caller that
	 * blocks in the store for its first request delays no effect, because no other is
	 * decided before the reply.
	 * @param change returns {@code null} if the change is not possible
	 * @return whether the change was possible
	 */
	boolean transit(Supplier<@Nullable Effect> change) {
		return this.changes.make(change);
	}

	/** Make a change, and do something after its effect, even if the change fails. */
	void transit(Supplier<Effect> change, Effect last) {
		try {
			this.changes.make(() -> change.get().then(last));
		}
		catch (RuntimeException | Error ex) {
			last.run();
			throw ex;
		}
	}

	void enter(State next) {
		Assert.state(this.state.mayBecome(next), () -> "A queue that is " + this.state + " can't become " + next);
		this.state = next;
	}

	private void finish() {
		enter(State.ENDED);
		this.pending = null;
		close();
	}

	private void close() {
		this.closed = true;
		this.engine.remove(this, this.memory);
	}

	private long now() {
		return this.clock.nanoTime();
	}

	@Nullable Waiter first() {
		return this.waiters.isEmpty() ? null : this.waiters.iterator().next();
	}

	/** Refuse the callers that waited only for the next reply. */
	private void dismissLeaving() {
		this.waiters.removeIf((waiter) -> waiter.isLeaving() && waiter.complete(refusal()));
	}

	private boolean isShared() {
		return this.permits > 1 && !this.alone;
	}

	private Outcome refusal() {
		if (this.owned != null) {
			return this.owned.refusal(now());
		}
		return (this.pending != null) ? this.pending.refusal(now()) : new Outcome.Busy(-1);
	}

	/** What this JVM does about a lock. The page docs/engine.md shows the states. */
	enum State {

		/** No caller has requested the lock yet. */
		NEW,

		/** The store has a request for the lock and has not replied. */
		ACQUIRING,

		/** The store queues the attempt, or the next request waits for its time. */
		WAITING,

		/** An attempt owns the lock, until it is lost or its release is sent. */
		OWNED,

		/** Nobody waits and nothing is owned. A new queue serves the next caller. */
		ENDED;

		boolean mayBecome(State next) {
			return switch (this) {
				case NEW -> next == ACQUIRING || next == WAITING;
				case ACQUIRING, WAITING -> next != NEW;
				case OWNED -> next == ACQUIRING || next == WAITING || next == ENDED;
				case ENDED -> false;
			};
		}

	}

}
