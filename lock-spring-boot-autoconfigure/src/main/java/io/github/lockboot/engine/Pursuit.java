package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The course of one attempt until it owns the lock or is given up: when it was sent, and
 * what the store last said. Guarded by the mutex of its lane.
 */
final class Pursuit {

	private static final long UNKNOWN_NANOS = Long.MAX_VALUE / 4;

	private final Backoff backoff = new Backoff();

	private Attempt attempt;

	private long sentNanos;

	private boolean answered;

	private @Nullable Throwable failure;

	private long busyUntilNanos;

	private LockClock.@Nullable Timer pause;

	Pursuit(Attempt attempt) {
		this.attempt = attempt;
	}

	Attempt attempt() {
		return this.attempt;
	}

	long sentNanos() {
		return this.sentNanos;
	}

	/**
	 * Whether the store has said anything of the attempt, be it an error.
	 * @return false while the first answer is awaited
	 */
	boolean isAnswered() {
		return this.answered;
	}

	/**
	 * Whether the store may own the lock for the attempt without our knowledge.
	 * @return true after a failure
	 */
	boolean isUnknown() {
		return this.failure != null;
	}

	/**
	 * Note that the attempt is sent now.
	 * @param nowNanos the time
	 * @param leaseMillis the lease that the first waiter wants
	 */
	void sending(long nowNanos, long leaseMillis) {
		this.sentNanos = nowNanos;
		this.attempt = this.attempt.withLeaseMillis(leaseMillis);
	}

	/**
	 * Note what the store said.
	 * @param nowNanos the time
	 * @param reply the answer, if one came
	 * @param failure why none came
	 */
	void answered(long nowNanos, @Nullable AcquireReply reply, @Nullable Throwable failure) {
		this.answered = true;
		this.failure = Replies.cause(failure);
		this.busyUntilNanos = nowNanos + ((reply instanceof AcquireReply.Busy busy && busy.remainingMillis() >= 0)
				? TimeUnit.MILLISECONDS.toNanos(busy.remainingMillis() + 1) : UNKNOWN_NANOS);
	}

	/**
	 * Return when to send again: after a growing pause, and not after the owner's lease.
	 * @param nowNanos the time
	 * @return the moment
	 */
	long againNanos(long nowNanos) {
		return nowNanos + Math.min(this.backoff.nextNanos(), this.busyUntilNanos - nowNanos);
	}

	void pausing(LockClock.Timer pause) {
		this.pause = pause;
	}

	void stop() {
		if (this.pause != null) {
			this.pause.cancel();
		}
	}

	/**
	 * Return what a waiter is told that goes away now.
	 * @param nowNanos the time
	 * @return failed or busy
	 */
	Outcome refusal(long nowNanos) {
		if (this.failure != null) {
			return new Outcome.Failed(this.failure);
		}
		long remaining = this.answered ? this.busyUntilNanos - nowNanos : UNKNOWN_NANOS;
		return new Outcome.Busy(
				(remaining < UNKNOWN_NANOS / 2) ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(remaining)) : -1);
	}

}
