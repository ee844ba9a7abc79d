package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockLostException;

/**
 * All that this JVM does about one lock: at most one attempt at the store at a time, one
 * lease, and the callers that wait for it, first come, first served. A lease is passed
 * from one caller to the next without the store while it is valid enough.
 * <p>
 * Every transition happens under one mutex and answers with the step to take after it, so
 * that no store is called and nobody is told anything under the mutex.
 */
final class Lane implements LeaseKeeper.Owner {

	private enum State {

		/** Nothing is wanted of the store. */
		IDLE,
		/** An attempt was sent, its answer is awaited. */
		ACQUIRING,
		/** The store said busy or nothing; the attempt is sent again in a while. */
		PAUSING,
		/** A caller holds the lease. */
		HELD,
		/** The lease is being given back. */
		RELEASING

	}

	/**
	 * How long a lease goes from caller to caller of this JVM while another JVM waits.
	 */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final Runnable NOTHING = () -> {
	};

	private final LockEngine engine;

	private final String lock;

	private final ReentrantLock mutex = new ReentrantLock();

	private final WaitingLine waiters = new WaitingLine();

	private State state = State.IDLE;

	private boolean retired;

	private long seenToken;

	/** Present in ACQUIRING and PAUSING. */
	private @Nullable Pursuit pursuit;

	/** Present in HELD and RELEASING. */
	private @Nullable Lease lease;

	/** Present in HELD. */
	private @Nullable LeaseKeeper keeper;

	/** Present in HELD. */
	private @Nullable Hold holder;

	/** The owner name of ours behind which another JVM was last known to wait. */
	private volatile @Nullable String waitedBehind;

	private long turnUntilNanos;

	Lane(LockEngine engine, String lock) {
		this.engine = engine;
		this.lock = lock;
	}

	// ---- what callers do

	/**
	 * Let a caller wait for the lock.
	 * @param waiter the caller
	 * @return whether this lane took it; if not it has retired and another is to be asked
	 */
	boolean admit(Waiter waiter) {
		Runnable step = NOTHING;
		this.mutex.lock();
		try {
			if (this.retired) {
				return false;
			}
			if (waiter.isLeaving() && (this.state == State.HELD || this.state == State.PAUSING)) {
				waiter.complete(refusal());
			}
			else {
				this.waiters.add(waiter);
				step = (this.state == State.IDLE) ? pursue(waiter) : NOTHING;
			}
		}
		finally {
			this.mutex.unlock();
		}
		step.run();
		return true;
	}

	/**
	 * A caller's wait time is over. It goes away with what is known, but for one whose
	 * own first attempt is still without an answer: that one goes away with the answer.
	 * @param waiter the caller
	 */
	void expire(Waiter waiter) {
		transit(() -> {
			boolean awaitsFirstAnswer = this.pursuit != null && !this.pursuit.isAnswered();
			if (awaitsFirstAnswer && this.waiters.first() == waiter) {
				waiter.leaveAtNextAnswer();
				return NOTHING;
			}
			return remove(waiter);
		});
	}

	/**
	 * A caller waits without end: it goes away only if the store fails.
	 * @param waiter the caller
	 */
	void expireIfFailing(Waiter waiter) {
		transit(() -> (this.pursuit != null && this.pursuit.isUnknown()) ? remove(waiter) : NOTHING);
	}

	/**
	 * A caller does not want the lock any more.
	 * @param waiter the caller; if it holds the lock by now, its hold is given back
	 */
	void leave(Waiter waiter) {
		transit(() -> remove(waiter));
		if (waiter.join() instanceof Hold hold) {
			hold.close();
		}
	}

	/**
	 * Give a hold back, and wait until the store knows or has failed to answer.
	 * @param hold the hold
	 */
	void release(Hold hold) {
		CompletableFuture<Void> done = releaseAsync(hold);
		if (done != null) {
			this.engine.awaitRelease(done);
			this.engine.tellReleased(hold);
		}
	}

	/**
	 * Give a hold back without waiting, and tell of it.
	 * @param hold the hold
	 * @return completed, never exceptionally, when the store knows or has failed to
	 * answer; not on a thread of the store's
	 */
	CompletionStage<Void> releaseInBackground(Hold hold) {
		CompletableFuture<Void> done = releaseAsync(hold);
		return (done != null) ? done.thenRunAsync(() -> this.engine.tellReleased(hold), this.engine::callBack)
				: CompletableFuture.completedStage(null);
	}

	/**
	 * Give a hold back.
	 * @param hold the hold
	 * @return completed, never exceptionally, when the store knows or has failed to
	 * answer; or {@code null} if the hold was given back or lost before
	 */
	private @Nullable CompletableFuture<Void> releaseAsync(Hold hold) {
		CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
		Runnable step;
		this.mutex.lock();
		try {
			if (this.holder != hold) {
				return null;
			}
			if (isOver(hold.lease())) {
				step = lose(hold, "its lease had run out when it was given back", true);
			}
			else {
				hold.released();
				step = pass(hold);
			}
			if (step == null) {
				CompletableFuture<Void> answered = new CompletableFuture<>();
				step = giveBack(hold.lease(), hold, answered);
				done = answered;
			}
		}
		finally {
			this.mutex.unlock();
		}
		step.run();
		return done;
	}

	/**
	 * Notice now, and not only when its timer fires, that a hold's lease has run out.
	 * @param hold the hold
	 */
	void loseIfOver(Hold hold) {
		transit(() -> (this.holder == hold && isOver(hold.lease())) ? lose(hold, "its lease ran out", true) : NOTHING);
	}

	String lock() {
		return this.lock;
	}

	long now() {
		return this.engine.clock().nanoTime();
	}

	void callBack(Runnable callback) {
		this.engine.callBack(callback);
	}

	/**
	 * The engine ends: nobody waits any longer.
	 * @param refusal what the waiters are told
	 */
	void shutDown(Outcome refusal) {
		transit(() -> {
			this.waiters.dismissAll(refusal);
			return NOTHING;
		});
	}

	// ---- what the store pushes

	/**
	 * An attempt that waited in the store owns the lock now.
	 * @param grant what was granted
	 */
	void granted(LockPushes.Grant grant) {
		transit(() -> {
			Pursuit pursuit = this.pursuit;
			if (pursuit == null || !pursuit.attempt().owner().equals(grant.attempt().owner())) {
				return NOTHING; // told twice
			}
			if (!pursuit.knowsStoreTime()) {
				pursuit.keep(grant);
				return NOTHING;
			}
			return claim(pursuit, grant);
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
		transit(() -> {
			Hold hold = this.holder;
			return (hold != null && isOwnedAs(owner)) ? lose(hold, "it was taken away by force", false) : NOTHING;
		});
	}

	/**
	 * A push may have been missed.
	 */
	void resync() {
		transit(() -> {
			Waiter first = this.waiters.first();
			Pursuit pursuit = this.pursuit;
			return (pursuit != null && this.state == State.PAUSING && first != null) ? send(pursuit, first) : NOTHING;
		});
	}

	// ---- what the lease's keeper asks and tells

	@Override
	public @Nullable Attempt renewing(Lease lease, long nowNanos) {
		this.mutex.lock();
		try {
			Hold hold = this.holder;
			return (hold != null && this.lease == lease) ? lease.renewing(hold, nowNanos) : null;
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public void renewed(Lease lease, Attempt renewed, long sentNanos, RenewReply.Renewed reply) {
		transit(() -> {
			Hold hold = this.holder;
			if (hold == null || this.lease != lease) {
				return NOTHING;
			}
			lease.renewed(renewed, sentNanos, reply);
			noteQueued(lease, reply.queued());
			return () -> this.engine.tellRenewed(hold);
		});
	}

	@Override
	public void lost(Lease lease, String reason, boolean mayBeOurs) {
		transit(() -> {
			Hold hold = this.holder;
			if (hold == null || this.lease != lease) {
				return NOTHING;
			}
			return lose(hold, hold.isTooLong(now()) ? "it was held for longer than its maximal hold time" : reason,
					mayBeOurs);
		});
	}

	// ---- transitions: each runs under the mutex and returns the step to take after it

	private void transit(Transition transition) {
		Runnable step;
		this.mutex.lock();
		try {
			step = transition.run();
		}
		finally {
			this.mutex.unlock();
		}
		step.run();
	}

	private Runnable pursue(Waiter first) {
		Pursuit pursuit = new Pursuit(this.engine.newAttempt(this, first.leaseMillis()));
		this.pursuit = pursuit;
		return send(pursuit, first);
	}

	private Runnable send(Pursuit pursuit, Waiter first) {
		this.state = State.ACQUIRING;
		pursuit.stop();
		pursuit.sending(now(), first);
		Attempt attempt = pursuit.attempt();
		Queueing queueing = pursuit.queueing();
		long seenToken = this.seenToken;
		return () -> Replies.ask(() -> this.engine.store().acquire(attempt, seenToken, queueing))
			.whenComplete((reply,
					failure) -> transit(() -> (this.pursuit == pursuit) ? answered(pursuit, reply, failure) : NOTHING));
	}

	private Runnable answered(Pursuit pursuit, @Nullable AcquireReply reply, @Nullable Throwable failure) {
		pursuit.answered(now(), reply, failure);
		if (reply instanceof AcquireReply.Owned owned) {
			Lease lease = new Lease(pursuit.attempt(), pursuit.sentNanos(), owned);
			return isOver(lease) ? tooLate(lease) : owned(lease, pursuit.sentNanos(), owned.queued());
		}
		LockPushes.Grant grant = pursuit.earlyGrant();
		if (grant != null && pursuit.knowsStoreTime() && isClaimable(pursuit, grant)) {
			return claim(pursuit, grant);
		}
		this.waiters.dismissLeaving(refusal());
		Waiter first = this.waiters.first();
		if (first == null) {
			return giveUp(pursuit);
		}
		boolean mayQueueNow = reply instanceof AcquireReply.Busy && pursuit.queueing() == Queueing.NO;
		return mayQueueNow ? send(pursuit, first) : pause(pursuit);
	}

	private boolean isClaimable(Pursuit pursuit, LockPushes.Grant grant) {
		return pursuit.momentOf(grant) != Long.MIN_VALUE;
	}

	/**
	 * Own the lock by a grant. If the message took so long that its window is over, the
	 * store has to confirm first.
	 */
	private Runnable claim(Pursuit pursuit, LockPushes.Grant grant) {
		if (!isClaimable(pursuit, grant)) {
			return NOTHING;
		}
		long grantedNanos = pursuit.momentOf(grant);
		Lease lease = new Lease(grant.attempt(), grantedNanos,
				new AcquireReply.Owned(grant.token(), grant.reserved(), grant.queued()));
		if (!isOver(lease)) {
			pursuit.stop();
			return owned(lease, grantedNanos, grant.queued());
		}
		Waiter first = this.waiters.first();
		return (this.state == State.PAUSING && first != null) ? send(pursuit, first) : NOTHING;
	}

	private Runnable pause(Pursuit pursuit) {
		this.state = State.PAUSING;
		pursuit.pausing(this.engine.clock().schedule(pursuit.againNanos(now()), this::resync));
		return NOTHING;
	}

	/**
	 * The last waiter has gone: forget the attempt, in the store too if it may be there.
	 */
	private Runnable giveUp(Pursuit pursuit) {
		pursuit.stop();
		this.engine.forget(pursuit.attempt());
		rest();
		return pursuit.leavesTraces() ? () -> this.engine.abandon(pursuit) : NOTHING;
	}

	/** This JVM stood still between request and answer. */
	private Runnable tooLate(Lease lease) {
		this.seenToken = lease.lastToken();
		this.engine.forget(lease.attempt());
		Runnable next = next();
		return () -> {
			this.engine.abandon(lease);
			next.run();
		};
	}

	private Runnable owned(Lease lease, long sentNanos, long queued) {
		this.pursuit = null;
		this.seenToken = lease.lastToken();
		this.lease = lease;
		Waiter first = this.waiters.first();
		if (first == null) {
			return giveBack(lease, null, new CompletableFuture<>());
		}
		this.keeper = new LeaseKeeper(this.engine.store(), this.engine.clock(), this, lease);
		this.keeper.start(sentNanos);
		noteQueued(lease, queued);
		this.turnUntilNanos = now() + TURN_NANOS;
		Runnable step = grant(first, lease, lease.lastToken());
		this.waiters.dismissLeaving(refusal());
		return step;
	}

	private Runnable grant(Waiter waiter, Lease lease, long token) {
		this.state = State.HELD;
		this.holder = new Hold(this, lease, waiter.request(), token, now());
		this.seenToken = token;
		this.waiters.remove(waiter);
		waiter.complete(this.holder);
		LeaseKeeper keeper = this.keeper;
		return (keeper != null && lease.adopt(waiter.leaseMillis())) ? keeper::renewNow : NOTHING;
	}

	private @Nullable Runnable pass(Hold hold) {
		Waiter next = this.waiters.first();
		if (next == null || !mayPass(hold, next)) {
			return null;
		}
		long token = hold.lease().nextToken(now());
		return (token >= 0) ? grant(next, hold.lease(), token) : null;
	}

	private boolean mayPass(Hold hold, Waiter next) {
		long now = now();
		Lease lease = hold.lease();
		boolean contended = lease.attempt().owner().equals(this.waitedBehind);
		return !(contended && now - this.turnUntilNanos >= 0) && hold.keptUntilNanos() - now <= 0 && next.isRenewed()
				&& lease.remainingNanos(now) >= TimeUnit.MILLISECONDS.toNanos(next.leaseMillis()) / 2;
	}

	private Runnable giveBack(Lease lease, @Nullable Hold hold, CompletableFuture<Void> done) {
		this.state = State.RELEASING;
		this.holder = null;
		stopKeeper();
		long keptMillis = (hold != null) ? TimeUnit.NANOSECONDS.toMillis(hold.keptUntilNanos() - now()) : 0;
		long token = lease.lastToken();
		return () -> Replies.ask(() -> this.engine.giveBack(lease.attempt(), token, keptMillis))
			.whenComplete((reply, failure) -> {
				try {
					transit(() -> givenBack(lease, hold, reply, keptMillis > 0));
				}
				finally {
					done.complete(null);
				}
			});
	}

	/**
	 * The store has answered to a release. If it has not, the release goes on in the
	 * background and nobody waits for it; a lock that was to stay taken is left to its
	 * lease.
	 */
	private Runnable givenBack(Lease lease, @Nullable Hold hold, @Nullable ReleaseReply reply, boolean kept) {
		this.lease = null;
		this.engine.forget(lease.attempt());
		Runnable next = next();
		if (reply == null && !kept) {
			return () -> {
				this.engine.abandon(lease);
				next.run();
			};
		}
		if (reply != ReleaseReply.NOT_OWNER || hold == null) {
			return next;
		}
		LockLostException loss = loss(hold, "it was not owned any more when it was given back");
		return () -> {
			this.engine.tellLost(hold, loss);
			next.run();
		};
	}

	private Runnable lose(Hold hold, String reason, boolean mayBeOurs) {
		this.holder = null;
		this.lease = null;
		this.engine.forget(hold.lease().attempt());
		stopKeeper();
		Runnable next = next();
		LockLostException loss = loss(hold, reason);
		return () -> {
			this.engine.tellLost(hold, loss);
			if (mayBeOurs) {
				this.engine.abandon(hold.lease());
			}
			next.run();
		};
	}

	private Runnable remove(Waiter waiter) {
		if (!this.waiters.remove(waiter)) {
			return NOTHING;
		}
		waiter.complete(refusal());
		return (this.waiters.isEmpty() && this.state == State.PAUSING && this.pursuit != null) ? giveUp(this.pursuit)
				: NOTHING;
	}

	private Runnable next() {
		Waiter first = this.waiters.first();
		if (first != null) {
			return pursue(first);
		}
		rest();
		return NOTHING;
	}

	private void rest() {
		this.state = State.IDLE;
		this.pursuit = null;
		this.retired = true;
		this.engine.retire(this.lock, this);
	}

	// ---- small questions and helpers

	private boolean isOver(Lease lease) {
		return lease.remainingNanos(now()) == 0;
	}

	private void noteQueued(Lease lease, long queued) {
		if (queued > 0) {
			this.waitedBehind = lease.attempt().owner();
		}
	}

	private boolean isOwnedAs(String owner) {
		Lease lease = this.lease;
		return lease != null && lease.attempt().owner().equals(owner);
	}

	private void stopKeeper() {
		if (this.keeper != null) {
			this.keeper.stop();
			this.keeper = null;
		}
	}

	private Outcome refusal() {
		if (this.lease != null) {
			return new Outcome.Busy(TimeUnit.NANOSECONDS.toMillis(this.lease.remainingNanos(now())));
		}
		return (this.pursuit != null) ? this.pursuit.refusal(now()) : new Outcome.Busy(-1);
	}

	private LockLostException loss(Hold hold, String reason) {
		return new LockLostException(this.lock, reason, Duration.ofNanos(now() - hold.sinceNanos()),
				hold.fencingToken());
	}

	/** A change of state that answers with the step to take once the mutex is free. */
	private interface Transition {

		Runnable run();

	}

}
