package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
	 * How long a lease goes from caller to caller before the store, and with it another
	 * JVM, has its turn.
	 */
	private static final long PASSING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

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

	private long passingUntilNanos;

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
		CompletableFuture<Void> done = new CompletableFuture<>();
		Runnable step;
		this.mutex.lock();
		try {
			if (this.holder != hold) {
				return;
			}
			step = releaseOrPass(hold, done);
		}
		finally {
			this.mutex.unlock();
		}
		step.run();
		this.engine.awaitRelease(done);
		this.engine.tellReleased(hold);
	}

	/**
	 * Notice now, and not only when its timer fires, that a hold's lease has run out.
	 * @param hold the hold
	 */
	void loseIfOver(Hold hold) {
		transit(() -> (this.holder == hold && isOver(hold.lease())) ? lose(hold, "its lease ran out", true) : NOTHING);
	}

	long now() {
		return this.engine.clock().nanoTime();
	}

	void callBack(Runnable callback) {
		this.engine.callBack(callback);
	}

	// ---- what the lease's keeper asks and tells

	@Override
	public @Nullable Attempt renewing(Lease lease, long nowNanos) {
		this.mutex.lock();
		try {
			if (this.lease != lease || this.state != State.HELD) {
				return null;
			}
			lease.renewing(nowNanos);
			return lease.attempt();
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
			return () -> this.engine.tellRenewed(hold);
		});
	}

	@Override
	public void lost(Lease lease, String reason, boolean mayBeOurs) {
		transit(() -> {
			Hold hold = this.holder;
			return (hold != null && this.lease == lease) ? lose(hold, reason, mayBeOurs) : NOTHING;
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
		Pursuit pursuit = new Pursuit(this.engine.newAttempt(this.lock, first.leaseMillis()));
		this.pursuit = pursuit;
		return send(pursuit, first);
	}

	private Runnable send(Pursuit pursuit, Waiter first) {
		this.state = State.ACQUIRING;
		pursuit.sending(now(), first.leaseMillis());
		Attempt attempt = pursuit.attempt();
		long seenToken = this.seenToken;
		return () -> Replies.ask(() -> this.engine.store().acquire(attempt, seenToken))
			.whenComplete((reply,
					failure) -> transit(() -> (this.pursuit == pursuit) ? answered(pursuit, reply, failure) : NOTHING));
	}

	private Runnable answered(Pursuit pursuit, @Nullable AcquireReply reply, @Nullable Throwable failure) {
		pursuit.answered(now(), reply, failure);
		if (reply instanceof AcquireReply.Owned owned) {
			return owned(new Lease(pursuit.attempt(), pursuit.sentNanos(), owned), pursuit.sentNanos());
		}
		this.waiters.dismissLeaving(refusal());
		return this.waiters.isEmpty() ? giveUp(pursuit) : pause(pursuit);
	}

	private Runnable pause(Pursuit pursuit) {
		this.state = State.PAUSING;
		pursuit.pausing(this.engine.clock().schedule(pursuit.againNanos(now()), () -> transit(() -> {
			Waiter first = this.waiters.first();
			return (this.pursuit == pursuit && first != null) ? send(pursuit, first) : NOTHING;
		})));
		return NOTHING;
	}

	/**
	 * The last waiter has gone: forget the attempt, in the store too if it may be there.
	 */
	private Runnable giveUp(Pursuit pursuit) {
		pursuit.stop();
		rest();
		return pursuit.isUnknown() ? () -> this.engine.abandon(pursuit) : NOTHING;
	}

	private Runnable owned(Lease lease, long sentNanos) {
		this.pursuit = null;
		this.seenToken = lease.lastToken();
		if (isOver(lease)) { // this JVM stood still meanwhile
			Runnable next = next();
			return () -> {
				this.engine.abandon(lease);
				next.run();
			};
		}
		this.lease = lease;
		Waiter first = this.waiters.first();
		if (first == null) {
			return release(lease, null, new CompletableFuture<>());
		}
		this.keeper = new LeaseKeeper(this.engine.store(), this.engine.clock(), this, lease);
		this.keeper.start(sentNanos);
		this.passingUntilNanos = now() + PASSING_NANOS;
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
		if (keeper != null && lease.attempt().leaseMillis() != waiter.leaseMillis()) {
			lease.adopt(waiter.leaseMillis());
			return keeper::renewNow;
		}
		return NOTHING;
	}

	private Runnable releaseOrPass(Hold hold, CompletableFuture<Void> done) {
		Lease lease = hold.lease();
		if (isOver(lease)) {
			Runnable step = lose(hold, "its lease had run out when it was given back", true);
			return () -> {
				step.run();
				done.complete(null);
			};
		}
		hold.released();
		Waiter next = this.waiters.first();
		if (next != null && mayPass(lease, next)) {
			long token = lease.nextToken(now());
			if (token >= 0) {
				Runnable step = grant(next, lease, token);
				return () -> {
					step.run();
					done.complete(null);
				};
			}
		}
		return release(lease, hold, done);
	}

	private boolean mayPass(Lease lease, Waiter next) {
		long now = now();
		return now - this.passingUntilNanos < 0
				&& lease.remainingNanos(now) >= TimeUnit.MILLISECONDS.toNanos(next.leaseMillis()) / 2;
	}

	private Runnable release(Lease lease, @Nullable Hold hold, CompletableFuture<Void> done) {
		this.state = State.RELEASING;
		this.holder = null;
		stopKeeper();
		return sendRelease(lease, hold, done, new Backoff(), false);
	}

	private Runnable sendRelease(Lease lease, @Nullable Hold hold, CompletableFuture<Void> done, Backoff backoff,
			boolean again) {
		long token = lease.lastToken();
		return () -> Replies.ask(() -> this.engine.store().release(lease.attempt(), token))
			.whenComplete((reply, failure) -> {
				try {
					transit(() -> releaseAnswered(lease, hold, reply, backoff, again));
				}
				finally {
					done.complete(null);
				}
			});
	}

	private Runnable releaseAnswered(Lease lease, @Nullable Hold hold, @Nullable ReleaseReply reply, Backoff backoff,
			boolean again) {
		if (reply == null && !isOver(lease)) {
			long now = now();
			long againNanos = now + Math.min(backoff.nextNanos(), lease.remainingNanos(now));
			this.engine.clock()
				.schedule(againNanos,
						() -> transit(() -> sendRelease(lease, hold, new CompletableFuture<>(), backoff, true)));
			return NOTHING;
		}
		this.lease = null;
		Runnable next = next();
		if (reply == ReleaseReply.NOT_OWNER && !again && hold != null) {
			LockLostException loss = loss(hold, "it was not owned any more when it was given back");
			return () -> {
				this.engine.tellLost(hold, loss);
				next.run();
			};
		}
		return next;
	}

	private Runnable lose(Hold hold, String reason, boolean mayBeOurs) {
		this.holder = null;
		this.lease = null;
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

	private static Runnable completing(CompletableFuture<Void> done) {
		return () -> done.complete(null);
	}

	/** A change of state that answers with the step to take once the mutex is free. */
	private interface Transition {

		Runnable run();

	}

}
