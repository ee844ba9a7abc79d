package io.github.lockboot.engine;

import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * All that this JVM does about one lock: the callers that wait for it, first come, first
 * served, and one attempt at the store on behalf of them all until it has led to a
 * {@link Tenure}. Lane and tenure change under one {@link StepMutex}.
 */
final class Lane {

	private final LockEngine engine;

	private final String lock;

	private final int permits;

	private final boolean alone;

	private final StepMutex mutex = new StepMutex();

	private final WaitingLine waiters = new WaitingLine();

	private final TimeSlice slice = new TimeSlice();

	private boolean retired;

	private long seenToken;

	/** Present while an attempt is to own the lock and does not yet. */
	private @Nullable Pursuit pursuit;

	/** Present while an attempt owns the lock, or is giving it back. */
	private @Nullable Tenure tenure;

	/** The owner name of ours behind which another JVM was last known to wait. */
	private volatile @Nullable String waitedBehind;

	/**
	 * Create a lane.
	 * @param engine what all lanes share
	 * @param lock name of the lock
	 * @param permits how many may hold the lock together with one of this lane
	 * @param alone whether it is made for one caller
	 * @param seenToken highest token seen of the lock
	 */
	Lane(LockEngine engine, String lock, int permits, boolean alone, long seenToken) {
		this.engine = engine;
		this.lock = lock;
		this.permits = permits;
		this.alone = alone;
		this.seenToken = seenToken;
	}

	// ---- what callers do

	/**
	 * Let a caller wait for the lock.
	 * @param waiter the caller
	 * @return whether this lane took it; if not it has retired and another is to be asked
	 */
	boolean admit(Waiter waiter) {
		return this.mutex.transit(() -> (this.retired || isClosedTo(waiter)) ? null : take(waiter));
	}

	/**
	 * A caller's wait time is over. It goes away with what is known. One whose own first
	 * attempt is still without an answer goes away with the answer, if that does not take
	 * too long.
	 * @param waiter the caller
	 */
	void expire(Waiter waiter) {
		this.mutex.transit(() -> {
			long now = now();
			Pursuit pursuit = this.pursuit;
			long graceNanos = (pursuit != null && this.waiters.first() == waiter) ? pursuit.graceNanos(now) : 0;
			if (graceNanos <= 0) {
				return remove(waiter);
			}
			waiter.leaveAtNextAnswer();
			LockClock.Timer limit = this.engine.clock().schedule(now + graceNanos, () -> expire(waiter));
			waiter.whenComplete((outcome, failure) -> limit.cancel());
			return StepMutex.NOTHING;
		});
	}

	/**
	 * A caller waits without end: it goes away only if the store fails all the time.
	 * @param waiter the caller
	 * @param patienceNanos for how long
	 * @return after which time to look again
	 */
	long expireIfFailing(Waiter waiter, long patienceNanos) {
		AtomicLong leftNanos = new AtomicLong();
		this.mutex.transit(() -> {
			long failingNanos = (this.pursuit != null) ? this.pursuit.failingNanos(now()) : 0;
			leftNanos.set(patienceNanos - failingNanos);
			return (leftNanos.get() <= 0) ? remove(waiter) : StepMutex.NOTHING;
		});
		return leftNanos.get();
	}

	/**
	 * A caller does not want the lock any more.
	 * @param waiter the caller; if it holds the lock by now, its hold is given back
	 */
	void leave(Waiter waiter) {
		this.mutex.transit(() -> remove(waiter));
		if (waiter.join() instanceof Hold hold) {
			hold.discard();
		}
	}

	/**
	 * The gate is shut: those who may not wait any longer go away.
	 * @param gate the gate
	 */
	void dismiss(Gate gate) {
		this.mutex.transit(() -> {
			this.waiters.dismiss(gate);
			return giveUpIfPausingForNobody();
		});
	}

	/**
	 * Nobody holds the lock any longer: those who do are told that it is lost.
	 * @param reason why, the end of a sentence
	 */
	void takeAway(String reason) {
		this.mutex.transit(() -> (this.tenure != null && this.tenure.isHeld()) ? this.tenure.lose(reason, true)
				: StepMutex.NOTHING);
	}

	/**
	 * Tell who holds the lock and who waits for it.
	 * @param report what is told
	 */
	void report(ActivityReport report) {
		this.mutex.transit(() -> {
			this.waiters.report(report);
			if (this.tenure != null) {
				this.tenure.holders().forEach(report::add);
			}
			return StepMutex.NOTHING;
		});
	}

	// ---- what the store pushes

	/**
	 * An attempt that waited in the store owns the lock now.
	 * @param grant what was granted
	 */
	void granted(LockPushes.Grant grant) {
		this.mutex.transit(() -> {
			Pursuit pursuit = this.pursuit;
			if (pursuit == null || !pursuit.attempt().owner().equals(grant.attempt().owner())) {
				return StepMutex.NOTHING; // told twice
			}
			pursuit.keep(grant);
			Lease lease = claim(pursuit);
			if (lease != null) {
				return own(lease);
			}
			// its window may be over; a request that is under way will tell
			Waiter first = this.waiters.first();
			return (pursuit.hasClaim() && pursuit.isPausing() && first != null) ? send(pursuit, first)
					: StepMutex.NOTHING;
		});
	}

	/**
	 * Somebody waits behind an attempt of this lane.
	 * @param owner name of the attempt
	 */
	void queuedBehind(String owner) {
		this.waitedBehind = owner; // without the mutex, for which passing threads compete
	}

	/**
	 * The lock was taken away by force.
	 * @param owner name of the attempt that owned it
	 */
	void taken(String owner) {
		this.mutex.transit(() -> (this.tenure != null) ? this.tenure.taken(owner) : StepMutex.NOTHING);
	}

	/**
	 * A push may have been missed, or it is time to ask again.
	 */
	void resync() {
		this.mutex.transit(() -> {
			Waiter first = this.waiters.first();
			Pursuit pausing = pausing();
			return (pausing != null && first != null) ? send(pausing, first) : StepMutex.NOTHING;
		});
	}

	/**
	 * An attempt that does not ask by itself was kept in the store's queue, or could not
	 * be.
	 * @param attempt the attempt
	 * @param sentNanos when the store was asked to keep it
	 * @param reply the answer; absent if none came, or the attempt has to ask
	 * @param failure why no answer came
	 */
	void kept(Attempt attempt, long sentNanos, @Nullable AcquireReply reply, @Nullable Throwable failure) {
		this.mutex.transit(() -> {
			Waiter first = this.waiters.first();
			Pursuit pausing = pausing();
			if (pausing == null || first == null || !pausing.attempt().owner().equals(attempt.owner())) {
				return StepMutex.NOTHING;
			}
			if (failure == null && (reply == null || pausing.isNewerThan(reply))) {
				return send(pausing, first);
			}
			pausing.answered(now(), sentNanos, reply, failure, true);
			return pause(pausing);
		});
	}

	/**
	 * This machine stood still: what is held may be so no more.
	 */
	void revalidate() {
		this.mutex.transit(() -> (this.tenure != null) ? this.tenure.revalidate() : StepMutex.NOTHING);
		resync();
	}

	// ---- what the tenure asks and tells, under the mutex

	StepMutex mutex() {
		return this.mutex;
	}

	LockEngine engine() {
		return this.engine;
	}

	String lock() {
		return this.lock;
	}

	int permits() {
		return this.permits;
	}

	@Nullable Waiter firstWaiter() {
		return this.waiters.first();
	}

	/**
	 * Give a waiter its hold.
	 * @param waiter the waiter
	 * @param hold the hold
	 */
	void grant(Waiter waiter, Hold hold) {
		this.seenToken = hold.storeToken();
		this.waiters.remove(waiter);
		waiter.complete(hold);
	}

	/**
	 * Whether another JVM waits behind an attempt of ours, as far as is known. An answer
	 * may say so before or after the push does, so nothing ever takes it back: the next
	 * attempt has another name.
	 * @param attempt the attempt
	 * @return true if so
	 */
	boolean isWaitedBehind(Attempt attempt) {
		return attempt.owner().equals(this.waitedBehind);
	}

	/**
	 * Whether this JVM has had the lock for long enough if others may poll for it.
	 * @param nowNanos the time
	 * @return true if so
	 */
	boolean isSliceOver(long nowNanos) {
		return this.slice.isOver(nowNanos);
	}

	/**
	 * The tenure is over: the next one begins for those who wait, at once or when others
	 * had their chance. The engine is to forget or to abandon its attempt.
	 * @return the step to take
	 */
	Runnable ended() {
		boolean polled = this.tenure != null && this.tenure.lease().isPolled();
		this.tenure = null;
		Waiter first = this.waiters.first();
		if (first == null) {
			rest();
			return StepMutex.NOTHING;
		}
		return (polled && isSliceOver(now())) ? giveWay(first) : pursue(first);
	}

	// ---- transitions

	private Runnable take(Waiter waiter) {
		if (waiter.isDone()) {
			return StepMutex.NOTHING; // joined
		}
		if (waiter.isLeaving() && isKnownToBeBusy()) {
			waiter.complete(refusal());
			return StepMutex.NOTHING;
		}
		this.waiters.add(waiter);
		return (this.pursuit == null && this.tenure == null) ? pursue(waiter) : StepMutex.NOTHING;
	}

	private Runnable pursue(Waiter first) {
		return send(newPursuit(first, now()), first);
	}

	private Pursuit newPursuit(Waiter first, long sendNanos) {
		Pursuit pursuit = new Pursuit(this.engine.lanes().newAttempt(this, first.leaseMillis()), sendNanos);
		this.pursuit = pursuit;
		return pursuit;
	}

	/** Wait until those who poll had their chance. */
	private Runnable giveWay(Waiter first) {
		long sendNanos = this.slice.pause(now());
		newPursuit(first, sendNanos).pausing(this.engine.clock().schedule(sendNanos, this::resync));
		return StepMutex.NOTHING;
	}

	private Runnable send(Pursuit pursuit, Waiter first) {
		long sentNanos = now();
		pursuit.sending(sentNanos, first);
		Attempt attempt = pursuit.attempt();
		Queueing queueing = pursuit.queueing();
		long seenToken = this.seenToken;
		return () -> Replies.ask(() -> this.engine.store().acquire(attempt, seenToken, queueing))
			.whenComplete((reply, failure) -> this.mutex.transit(() -> {
				Throwable cause = Replies.cause(failure);
				boolean refused = cause != null && this.engine.store().isRefusal(cause);
				pursuit.answered(now(), sentNanos, reply, cause, refused);
				if (this.pursuit != pursuit) {
					return answeredLate(pursuit, reply);
				}
				return (reply instanceof AcquireReply.Owned owned) ? owned(new Lease(attempt, sentNanos, owned))
						: notOwned(pursuit, reply);
			}));
	}

	/**
	 * A grant has overtaken the answer. If the attempt is over by now, it may own the
	 * lock anew, or wait for it.
	 */
	private Runnable answeredLate(Pursuit pursuit, @Nullable AcquireReply reply) {
		boolean isOver = this.tenure == null || !this.tenure.isOf(pursuit.attempt().owner());
		boolean isNoRefusal = reply instanceof AcquireReply.Owned || reply instanceof AcquireReply.Queued;
		return (isOver && (isNoRefusal || pursuit.isUnknown())) ? () -> this.engine.abandon(pursuit)
				: StepMutex.NOTHING;
	}

	private Runnable owned(Lease lease) {
		return lease.isOver(now()) ? tooLate(lease) : own(lease);
	}

	/**
	 * Claim a grant, unless this JVM has given out its token already: then the store has
	 * forgotten tokens in a fail-over. A request tells it the highest one.
	 */
	private @Nullable Lease claim(Pursuit pursuit) {
		Lease lease = pursuit.claim(now());
		long lowest = (this.permits > 1) ? this.seenToken : this.seenToken + 1;
		return (lease != null && lease.lastToken() >= lowest) ? lease : null;
	}

	private Runnable notOwned(Pursuit pursuit, @Nullable AcquireReply reply) {
		Lease lease = claim(pursuit);
		if (lease != null) {
			return own(lease);
		}
		this.slice.missed();
		this.waiters.dismissLeaving(refusal());
		Waiter first = this.waiters.first();
		if (first == null) {
			return giveUp(pursuit);
		}
		boolean mayQueueNow = reply instanceof AcquireReply.Busy && !pursuit.queueing().wanted();
		return (mayQueueNow || pursuit.hasClaim()) ? send(pursuit, first) : pause(pursuit);
	}

	private Runnable pause(Pursuit pursuit) {
		long againNanos = pursuit.againNanos(now());
		pursuit.stop();
		pursuit.pausing(pursuit.place().isAgain()
				? this.engine.queued().add(this, pursuit.attempt(), pursuit.place().sinceMicros(), againNanos)
				: this.engine.clock().schedule(againNanos, this::resync));
		return StepMutex.NOTHING;
	}

	/**
	 * The last waiter has gone: forget the attempt, in the store too if it may be there.
	 */
	private Runnable giveUp(Pursuit pursuit) {
		pursuit.stop();
		rest();
		if (pursuit.leavesTraces()) {
			return () -> this.engine.abandon(pursuit);
		}
		this.engine.forget(pursuit.attempt());
		return StepMutex.NOTHING;
	}

	/** This JVM stood still between request and answer. */
	private Runnable tooLate(Lease lease) {
		this.seenToken = lease.lastToken();
		Runnable next = ended();
		return () -> {
			this.engine.abandon(lease);
			next.run();
		};
	}

	private Runnable own(Lease lease) {
		if (this.pursuit != null) {
			this.pursuit.stop();
			if (this.pursuit.isUnknown()) {
				lease.mayBeTakenLate();
			}
			this.pursuit = null;
		}
		if (lease.queued() > 0) {
			this.waitedBehind = lease.attempt().owner();
		}
		this.seenToken = lease.lastToken();
		this.slice.owned(now());
		this.tenure = isShared() ? new SharedTenure(this, lease) : new ExclusiveTenure(this, lease, now());
		Runnable step = this.tenure.begin();
		this.waiters.dismissLeaving(refusal());
		return step;
	}

	private Runnable remove(Waiter waiter) {
		if (!this.waiters.remove(waiter)) {
			return StepMutex.NOTHING;
		}
		waiter.complete(refusal());
		return giveUpIfPausingForNobody();
	}

	private Runnable giveUpIfPausingForNobody() {
		Pursuit pausing = pausing();
		return (pausing != null && this.waiters.isEmpty()) ? giveUp(pausing) : StepMutex.NOTHING;
	}

	private void rest() {
		this.pursuit = null;
		retire();
	}

	private void retire() {
		this.retired = true;
		this.engine.lanes().retire(this, this.seenToken);
	}

	// ---- small questions

	private long now() {
		return this.engine.clock().nanoTime();
	}

	private boolean isShared() {
		return this.permits > 1 && !this.alone;
	}

	/**
	 * Let a caller join those who share the lock. If somebody else waits behind them, the
	 * caller has to queue in the store, for which it needs another lane.
	 */
	private boolean isClosedTo(Waiter waiter) {
		if (!isShared() || this.tenure == null || !this.tenure.isHeld()) {
			return false;
		}
		if (this.tenure.join(waiter)) {
			return false;
		}
		retire();
		return true;
	}

	private boolean isKnownToBeBusy() {
		return pausing() != null || (this.tenure != null && this.tenure.isHeld());
	}

	private @Nullable Pursuit pausing() {
		return (this.pursuit != null && this.pursuit.isPausing()) ? this.pursuit : null;
	}

	private Outcome refusal() {
		if (this.tenure != null) {
			return this.tenure.refusal(now());
		}
		return (this.pursuit != null) ? this.pursuit.refusal(now()) : new Outcome.Busy(-1);
	}

}
