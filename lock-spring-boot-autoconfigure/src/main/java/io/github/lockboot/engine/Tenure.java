package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockLostException;

/**
 * One time for which an attempt owns the lock of a lane: its lease goes from caller to
 * caller of this JVM, without the store, while it is valid enough and no other JVM has
 * waited for long; then it is given back, or it is lost.
 * <p>
 * Passing a lease within a JVM follows lock cohorting (Dice, Marathe, Shavit: Lock
 * Cohorting, PPoPP 2012).
 */
final class Tenure implements LeaseKeeper.Owner {

	/**
	 * How long a lease goes from caller to caller while another JVM waits.
	 */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** A store that takes longer than this to answer to a release is told as failing. */
	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final Lane lane;

	private final Lease lease;

	private final LeaseKeeper keeper;

	private final long beganNanos;

	/** Who holds the lease; nobody once it is being given back or over. */
	private @Nullable Hold holder;

	private long givenBackNanos;

	Tenure(Lane lane, Lease lease, long nowNanos) {
		this.lane = lane;
		this.lease = lease;
		this.keeper = new LeaseKeeper(lane.engine().store(), lane.engine().clock(), this, lease);
		this.beganNanos = nowNanos;
	}

	// ---- what the lane asks and tells, under its mutex

	/**
	 * Begin with the first who waits.
	 * @return the step to take
	 */
	Runnable begin() {
		Waiter first = this.lane.firstWaiter();
		if (first == null) {
			return giveBack(null, new CompletableFuture<>());
		}
		this.keeper.start();
		return grant(first, this.lease.lastToken());
	}

	boolean isHeld() {
		return this.holder != null;
	}

	/**
	 * The lock was taken away by force.
	 * @param owner name of the attempt that owned it
	 * @return the step to take
	 */
	Runnable taken(String owner) {
		return (this.holder != null && this.lease.attempt().owner().equals(owner))
				? lose(this.holder, "it was taken away by force", false) : Lane.NOTHING;
	}

	/**
	 * Return what a waiter is told that goes away now.
	 * @param nowNanos the time
	 * @return busy, or failed if the store does not answer to a release
	 */
	Outcome refusal(long nowNanos) {
		if (this.holder == null && nowNanos - this.givenBackNanos > SLOW_NANOS) {
			return new Outcome.Failed(new IllegalStateException("no answer to the release of the holder before for "
					+ TimeUnit.NANOSECONDS.toMillis(nowNanos - this.givenBackNanos) + " ms"));
		}
		return new Outcome.Busy(TimeUnit.NANOSECONDS.toMillis(this.lease.remainingNanos(nowNanos)));
	}

	// ---- what a hold asks

	long now() {
		return this.lane.engine().clock().nanoTime();
	}

	/**
	 * Give a hold back, and wait until the store knows or has failed to answer.
	 * @param hold the hold
	 */
	void release(Hold hold) {
		CompletableFuture<Void> done = end(hold);
		if (done != null) {
			this.lane.engine().awaitRelease(done);
			this.lane.engine().tellReleased(hold);
		}
	}

	/**
	 * Give a hold back without waiting.
	 * @param hold the hold
	 * @return completed, never exceptionally, when the store knows or has failed to
	 * answer; not on a thread of the store's
	 */
	CompletionStage<Void> releaseAsync(Hold hold) {
		CompletableFuture<Void> done = end(hold);
		if (done == null) {
			return CompletableFuture.completedStage(null);
		}
		LockEngine engine = this.lane.engine();
		return done.thenRunAsync(() -> engine.tellReleased(hold), engine::callBack);
	}

	/**
	 * Notice now, and not only when its timer fires, that a hold's lease has run out.
	 * @param hold the hold
	 */
	void loseIfOver(Hold hold) {
		this.lane.transit(() -> (this.holder == hold && this.lease.isOver(now()))
				? lose(hold, "its lease ran out", true) : Lane.NOTHING);
	}

	void callBack(Runnable callback) {
		this.lane.engine().callBack(callback);
	}

	// ---- what the keeper of the lease asks and tells

	@Override
	public void renew(long nowNanos) {
		this.lane.transit(() -> {
			Hold hold = this.holder;
			Attempt attempt = (hold != null) ? this.lease.renewing(hold, nowNanos) : null;
			return (attempt != null) ? () -> this.keeper.send(attempt, nowNanos) : Lane.NOTHING;
		});
	}

	@Override
	public void renewed(Attempt renewed, long sentNanos, RenewReply.Renewed reply) {
		this.lane.transit(() -> {
			Hold hold = this.holder;
			if (hold == null) {
				return Lane.NOTHING;
			}
			this.lease.renewed(renewed, sentNanos, reply);
			if (reply.queued() > 0) {
				this.lane.queuedBehind(renewed.owner());
			}
			return () -> this.lane.engine().tellRenewed(hold);
		});
	}

	@Override
	public void lost(String reason, boolean mayBeOurs) {
		this.lane.transit(() -> {
			Hold hold = this.holder;
			if (hold == null) {
				return Lane.NOTHING;
			}
			return lose(hold, hold.isTooLong(now()) ? "it was held for longer than its maximal hold time" : reason,
					mayBeOurs);
		});
	}

	// ---- transitions

	private Runnable grant(Waiter waiter, long token) {
		this.holder = new Hold(this, this.lease, waiter.request(), token, now());
		this.lane.grant(waiter, this.holder);
		return this.lease.adopt(waiter.leaseMillis()) ? this.keeper::renewNow : Lane.NOTHING;
	}

	/**
	 * Pass the lease on or give it back.
	 * @param hold the hold that ends
	 * @return completed when all is done; {@code null} if the hold had ended before
	 */
	private @Nullable CompletableFuture<Void> end(Hold hold) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		Runnable step = this.lane.underMutex(() -> (this.holder == hold) ? end(hold, done) : null);
		if (step == null) {
			return null;
		}
		step.run();
		return done;
	}

	private Runnable end(Hold hold, CompletableFuture<Void> done) {
		if (this.lease.isOver(now())) {
			return completing(lose(hold, "its lease had run out when it was given back", true), done);
		}
		hold.released();
		Waiter next = this.lane.firstWaiter();
		Runnable pass = (next != null && mayPass(hold, next)) ? pass(next) : null;
		return (pass != null) ? completing(pass, done) : giveBack(hold, done);
	}

	private static Runnable completing(Runnable step, CompletableFuture<Void> done) {
		return () -> {
			step.run();
			done.complete(null);
		};
	}

	private boolean mayPass(Hold hold, Waiter next) {
		long now = now();
		boolean turnIsOver = this.lane.isWaitedBehind(this.lease.attempt()) && now - this.beganNanos >= TURN_NANOS;
		return !turnIsOver && hold.keptUntilNanos() - now <= 0 && next.isRenewed()
				&& this.lease.remainingNanos(now) >= TimeUnit.MILLISECONDS.toNanos(next.leaseMillis()) / 2;
	}

	private @Nullable Runnable pass(Waiter next) {
		long token = this.lease.nextToken(now() - this.beganNanos);
		return (token >= 0) ? grant(next, token) : null;
	}

	private Runnable giveBack(@Nullable Hold hold, CompletableFuture<Void> done) {
		this.holder = null;
		this.givenBackNanos = now();
		this.keeper.stop();
		LockEngine engine = this.lane.engine();
		long token = this.lease.lastToken();
		long keptMillis = (hold != null) ? TimeUnit.NANOSECONDS.toMillis(hold.keptUntilNanos() - this.givenBackNanos)
				: 0;
		return () -> Replies.ask(() -> engine.giveBack(this.lease.attempt(), token, keptMillis))
			.whenComplete((reply, failure) -> {
				try {
					this.lane.transit(() -> givenBack(hold, reply, keptMillis > 0));
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
	private Runnable givenBack(@Nullable Hold hold, @Nullable ReleaseReply reply, boolean kept) {
		Runnable next = this.lane.ended(this.lease.attempt());
		if (reply == ReleaseReply.NOT_OWNER && hold != null) {
			return telling(hold, "it was not owned any more when it was given back", next);
		}
		return (reply == null && !kept) ? abandoning(next) : next;
	}

	private Runnable lose(Hold hold, String reason, boolean mayBeOurs) {
		this.holder = null;
		this.keeper.stop();
		Runnable next = this.lane.ended(this.lease.attempt());
		return telling(hold, reason, mayBeOurs ? abandoning(next) : next);
	}

	private Runnable abandoning(Runnable next) {
		return () -> {
			this.lane.engine().abandon(this.lease);
			next.run();
		};
	}

	private Runnable telling(Hold hold, String reason, Runnable next) {
		LockLostException loss = new LockLostException(this.lane.lock(), reason,
				Duration.ofNanos(now() - hold.sinceNanos()), hold.fencingToken());
		List<Runnable> callbacks = hold.lost(loss);
		return () -> {
			this.lane.engine().tellLost(hold, loss, callbacks);
			next.run();
		};
	}

}
