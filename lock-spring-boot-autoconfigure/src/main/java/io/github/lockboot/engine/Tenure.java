package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockLostException;

/**
 * One time for which an attempt owns the lock of a lane: from the store's answer until
 * the lease is given back or lost. Who holds the lease in the meantime is what its kinds
 * differ in.
 */
abstract class Tenure implements LeaseKeeper.Owner {

	/** A store that takes longer than this to answer to a release is told as failing. */
	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final Lane lane;

	private final Lease lease;

	private final LeaseKeeper keeper;

	private long givenBackNanos;

	Tenure(Lane lane, Lease lease) {
		this.lane = lane;
		this.lease = lease;
		this.keeper = new LeaseKeeper(lane.engine().store(), lane.engine().clock(), this, lease);
	}

	// ---- what the kinds say, under the mutex of the lane

	/**
	 * Let those hold the lease who wait first.
	 * @param first the first who waits
	 * @return the step to take
	 */
	abstract Runnable enter(Waiter first);

	/**
	 * Let a caller hold the lease that comes while it is held.
	 * @param waiter the caller
	 * @return whether it does; if not it has to wait
	 */
	abstract boolean join(Waiter waiter);

	/**
	 * A holder gives its hold back.
	 * @param hold the hold
	 * @param done to be completed when all is done
	 * @return the step to take
	 */
	abstract Runnable leave(Hold hold, CompletableFuture<Void> done);

	/**
	 * Return one of those who hold the lease.
	 * @return a hold; {@code null} once the lease is being given back or over
	 */
	abstract @Nullable Hold holder();

	/**
	 * Whether a hold is one of those.
	 * @param hold the hold
	 * @return true if so
	 */
	abstract boolean isHeldBy(Hold hold);

	/**
	 * Return all those who hold the lease.
	 * @return a copy
	 */
	abstract List<Hold> holders();

	/**
	 * Let nobody hold the lease any longer.
	 */
	abstract void clear();

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
		return enter(first);
	}

	boolean isHeld() {
		return holder() != null;
	}

	/**
	 * Whether an attempt is the owner.
	 * @param owner name of the attempt
	 * @return true if so
	 */
	boolean isOf(String owner) {
		return this.lease.attempt().owner().equals(owner);
	}

	/**
	 * The lock was taken away by force.
	 * @param owner name of the attempt that owned it
	 * @return the step to take
	 */
	Runnable taken(String owner) {
		return (isHeld() && isOf(owner)) ? lose("it was taken away by force", false) : StepMutex.NOTHING;
	}

	/**
	 * Ask the store whether the lock is still ours, and bring its deadline in line with
	 * the lease's.
	 * @return the step to take
	 */
	Runnable revalidate() {
		Hold hold = holder();
		long now = now();
		Attempt attempt = (hold == null) ? null
				: hold.isRenewed() ? this.lease.renewing(hold, now) : this.lease.renewingRemainder(now);
		return (attempt != null) ? () -> this.keeper.send(attempt, now) : StepMutex.NOTHING;
	}

	/**
	 * Return what a waiter is told that goes away now.
	 * @param nowNanos the time
	 * @return busy, or failed if the store does not answer to a release
	 */
	Outcome refusal(long nowNanos) {
		if (!isHeld() && nowNanos - this.givenBackNanos > SLOW_NANOS) {
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
		CompletableFuture<Void> done = new CompletableFuture<>();
		if (end(hold, done)) {
			this.lane.engine().awaitAnswer(done);
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
		CompletableFuture<Void> done = new CompletableFuture<>();
		if (!end(hold, done)) {
			return CompletableFuture.completedStage(null);
		}
		LockEngine engine = this.lane.engine();
		return done.thenRunAsync(() -> engine.tellReleased(hold), engine::deliver);
	}

	/**
	 * End a hold.
	 * @param hold the hold
	 * @param done to be completed when all is done
	 * @return false if the hold had ended before
	 */
	boolean end(Hold hold, CompletableFuture<Void> done) {
		return this.lane.mutex().transit(() -> isHeldBy(hold) ? leaveOrLose(hold, done) : null);
	}

	/**
	 * Let others share the lock.
	 * @param hold the hold, which was exclusive
	 */
	void downgrade(Hold hold) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		this.lane.mutex()
			.transit(() -> isHeldBy(hold) ? () -> Replies
				.ask(() -> this.lane.engine().store().downgrade(this.lease.attempt(), this.lease.lastToken()))
				.whenComplete((reply, failure) -> done.complete(null)) : () -> done.complete(null));
		this.lane.engine().awaitAnswer(done);
	}

	/**
	 * Notice now, and not only when its timer fires, that a hold's lease has run out.
	 * @param hold the hold
	 */
	void loseIfOver(Hold hold) {
		this.lane.mutex()
			.transit(() -> (isHeldBy(hold) && this.lease.isOver(now())) ? lose("its lease ran out", true)
					: StepMutex.NOTHING);
	}

	void callBack(Runnable callback) {
		this.lane.engine().callBack(callback);
	}

	// ---- what the keeper of the lease asks and tells

	@Override
	public void renew(long nowNanos) {
		this.lane.mutex().transit(() -> {
			Hold hold = holder();
			Attempt attempt = (hold != null) ? this.lease.renewing(hold, nowNanos) : null;
			return (attempt != null) ? () -> this.keeper.send(attempt, nowNanos) : StepMutex.NOTHING;
		});
	}

	@Override
	public void renewed(Attempt renewed, long sentNanos, RenewReply.Renewed reply) {
		this.lane.mutex().transit(() -> {
			Hold hold = holder();
			if (hold == null) {
				return StepMutex.NOTHING;
			}
			long now = now();
			long tookNanos = Math.max(now - sentNanos, this.lease.overdueNanos(now));
			long leftNanos = this.lease.remainingNanos(now);
			Duration lease = this.lease.length();
			this.lease.renewed(renewed, sentNanos, reply);
			if (reply.queued() > 0) {
				this.lane.queuedBehind(renewed.owner());
			}
			return () -> this.lane.engine().tellRenewed(hold, renewed, tookNanos, lease, leftNanos);
		});
	}

	@Override
	public void lost(String reason, boolean mayBeOurs) {
		this.lane.mutex().transit(() -> {
			Hold hold = holder();
			if (hold == null) {
				return StepMutex.NOTHING;
			}
			return lose(hold.isTooLong(now()) ? "it was held for longer than its maximal hold time" : reason,
					mayBeOurs);
		});
	}

	// ---- for the kinds

	Lane lane() {
		return this.lane;
	}

	Lease lease() {
		return this.lease;
	}

	LeaseKeeper keeper() {
		return this.keeper;
	}

	/**
	 * Give the lease back to the store.
	 * @param hold the last hold, if there was one
	 * @param done to be completed with the answer
	 * @return the step to take
	 */
	Runnable giveBack(@Nullable Hold hold, CompletableFuture<Void> done) {
		this.givenBackNanos = now();
		this.keeper.stop();
		LockEngine engine = this.lane.engine();
		long token = this.lease.lastToken();
		long keptMillis = (hold != null) ? TimeUnit.NANOSECONDS.toMillis(hold.keptUntilNanos() - this.givenBackNanos)
				: 0;
		return () -> Replies.ask(() -> engine.giveBack(this.lease.attempt(), token, keptMillis))
			.whenComplete((reply, failure) -> {
				try {
					this.lane.mutex().transit(() -> givenBack(hold, reply, keptMillis > 0));
				}
				finally {
					done.complete(null);
				}
			});
	}

	static Runnable completing(Runnable step, CompletableFuture<Void> done) {
		return () -> {
			step.run();
			done.complete(null);
		};
	}

	/**
	 * The lease is over.
	 * @param reason why, the end of a sentence
	 * @param mayBeOurs whether the store may still know us as the owner
	 * @return the step to take
	 */
	Runnable lose(String reason, boolean mayBeOurs) {
		this.keeper.stop();
		Runnable step = this.lane.ended();
		if (mayBeOurs) {
			step = abandoning(step);
		}
		else {
			this.lane.engine().forget(this.lease.attempt());
		}
		List<Hold> holds = new ArrayList<>(holders());
		String loss = reason + ((holds.size() > 1) ? "; " + holds.size() + " holders" : "");
		Collections.reverse(holds); // the oldest of them tells first
		for (Hold hold : holds) {
			step = telling(hold, loss, step);
		}
		clear();
		return step;
	}

	// ---- transitions

	private Runnable leaveOrLose(Hold hold, CompletableFuture<Void> done) {
		if (this.lease.isOver(now())) {
			return completing(lose("its lease had run out when it was given back", true), done);
		}
		hold.released();
		return leave(hold, done);
	}

	/**
	 * The store has answered to a release. If it has not, or a late request may take the
	 * lock again, releases go on in the background and nobody waits for them; a lock that
	 * was to stay taken is left to its lease.
	 */
	private Runnable givenBack(@Nullable Hold hold, @Nullable ReleaseReply reply, boolean kept) {
		Runnable next = this.lane.ended();
		if (!kept && (reply == null || this.lease.isMaybeTakenLate())) {
			return abandoning(next);
		}
		this.lane.engine().forget(this.lease.attempt());
		if (reply == ReleaseReply.NOT_OWNER && hold != null) {
			return telling(hold, "it was not owned any more when it was given back", next);
		}
		return next;
	}

	private Runnable abandoning(Runnable next) {
		return () -> {
			this.lane.engine().abandon(this.lease);
			next.run();
		};
	}

	private Runnable telling(Hold hold, String reason, Runnable next) {
		long now = now();
		LockLostException loss = new LockLostException(this.lane.lock(), reason + "; " + this.lease.history(now),
				Duration.ofNanos(now - hold.sinceNanos()), hold.fencingToken());
		List<Runnable> callbacks = hold.lost(loss);
		return () -> {
			this.lane.engine().tellLost(hold, loss, callbacks);
			next.run();
		};
	}

}
