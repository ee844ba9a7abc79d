package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * The time for which a store has promised a lock to an attempt, and the fencing tokens
 * that may be issued in that time. The deadline counts from before the request was sent,
 * and is earlier than the deadline of the store by the drift that two clocks may have. A
 * lease is changed under the mutex of its {@link LockQueue}; any thread may read the
 * attempt and the deadline.
 */
final class Lease {

	/** How late the end of a lease is noticed at most unless the JVM stands still. */
	private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final long baseNanos;

	private final long queued;

	private final Tokens tokens;

	private final AtomicBoolean lossReported = new AtomicBoolean();

	private volatile LockAttempt attempt;

	private volatile long deadlineNanos;

	private volatile @Nullable Renewal latest;

	/**
	 * The length in the store: a lock that was handed over has a short lease until it is
	 * renewed.
	 */
	private Duration length;

	/** When a third of the lease has passed. */
	private volatile long dueNanos;

	private boolean adopted;

	private boolean polled;

	private boolean mayBeTakenLate;

	private boolean requested;

	/** The last renewal that the store has confirmed. */
	private volatile @Nullable Renewal confirmed;

	Lease(LockAttempt attempt, long sentNanos, AcquireReply.Owned reply) {
		this.attempt = attempt;
		this.baseNanos = sentNanos;
		this.tokens = new Tokens(reply.token(), reply.reserved());
		this.queued = reply.queued();
		this.length = Duration.ofMillis(attempt.leaseMillis());
		this.polled = reply.queued() == LockStore.UNKNOWN_QUEUE;
		this.deadlineNanos = deadline(sentNanos, attempt);
		this.dueNanos = due(sentNanos, attempt);
	}

	private static long deadline(long sentNanos, LockAttempt attempt) {
		return sentNanos + TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()) - driftNanos(attempt);
	}

	/**
	 * Return by how much the clocks of this JVM and of the store may drift apart within a
	 * lease.
	 */
	static long driftNanos(LockAttempt attempt) {
		return TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()) / 100 + TimeUnit.MILLISECONDS.toNanos(2);
	}

	private static long due(long sentNanos, LockAttempt attempt) {
		return sentNanos + TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()) / 3;
	}

	/** Return the moment at which the lease begins. */
	long baseNanos() {
		return this.baseNanos;
	}

	/** Return when the store was last asked for the lease. */
	long askedNanos() {
		Renewal latest = this.latest;
		return (latest != null) ? latest.sentNanos() : this.baseNanos;
	}

	/** Return how many other attempts waited when the lease began. */
	long queued() {
		return this.queued;
	}

	/** Return whether others may poll for the lock without the store's knowledge. */
	boolean isPolled() {
		return this.polled;
	}

	/**
	 * Note that a request for the lock got no reply: the request may reach the store even
	 * after the lock was released.
	 */
	void mayBeTakenLate() {
		this.mayBeTakenLate = true;
	}

	boolean isMaybeTakenLate() {
		return this.mayBeTakenLate;
	}

	/**
	 * Note whether the lock was granted while a request for it was under way, or after
	 * such a request took effect.
	 */
	void requested(boolean requested) {
		this.requested = requested;
	}

	/**
	 * Return the highest token that was issued, so that a release can return the unused
	 * tokens; zero if a late request may have acquired the lock again, since others may
	 * then have held the lock meanwhile, with higher tokens.
	 */
	long usedToken() {
		return (this.mayBeTakenLate || this.requested) ? 0 : lastToken();
	}

	LockAttempt attempt() {
		return this.attempt;
	}

	long deadlineNanos() {
		return this.deadlineNanos;
	}

	Duration length() {
		return this.length;
	}

	long remainingNanos(long nowNanos) {
		return Math.max(0, this.deadlineNanos - nowNanos);
	}

	/** Return whether the store has confirmed a renewal that was sent after a time. */
	boolean isConfirmedSince(long nanos) {
		Renewal confirmed = this.confirmed;
		return confirmed != null && confirmed.sentNanos() - nanos >= 0;
	}

	/** Return how long ago a renewal should have succeeded. */
	long overdueNanos(long nowNanos) {
		return Math.max(0, nowNanos - this.dueNanos);
	}

	/** Return how much of the lease is left when a renewal is due. */
	long leftWhenDueNanos() {
		return Math.max(0, this.deadlineNanos - this.dueNanos);
	}

	boolean isOver(long nowNanos) {
		return remainingNanos(nowNanos) == 0;
	}

	/** Adopt a length from the next renewal on, and return whether the length changes. */
	boolean adopt(long leaseMillis) {
		boolean differs = leaseMillis != this.attempt.leaseMillis();
		this.attempt = this.attempt.withLeaseMillis(leaseMillis);
		this.adopted |= differs;
		return differs;
	}

	/** Return whether the store has not confirmed the present length yet. */
	boolean isAdopted() {
		return this.adopted;
	}

	/**
	 * Return whether at least half of a lease is left. While the renewal to a new length
	 * is due or under way, as after a handover, half of the current length is enough.
	 */
	boolean hasHalfOf(long leaseMillis, long nowNanos) {
		long wholeMillis = this.adopted ? Math.min(leaseMillis, this.length.toMillis()) : leaseMillis;
		return remainingNanos(nowNanos) >= TimeUnit.MILLISECONDS.toNanos(wholeMillis) / 2;
	}

	/** Return whether the store does not know of a new length yet. */
	boolean awaitsItsFirstRenewal() {
		return this.adopted && this.latest == null;
	}

	/**
	 * Return the renewal to send; {@code null} if the holder's lease is fixed, or if its
	 * maximum hold time is over.
	 */
	@Nullable LockAttempt renewing(boolean wanted, long millisToMaximum, long nowNanos) {
		long leaseMillis = Math.min(this.attempt.leaseMillis(), millisToMaximum);
		if (leaseMillis <= 0 || !(wanted || this.adopted)) {
			return null;
		}
		return sending(this.attempt.withLeaseMillis(leaseMillis), nowNanos);
	}

	/**
	 * Return the renewal to send after the machine was suspended, for a holder with a
	 * fixed lease: the renewal covers the rest of the lease.
	 */
	@Nullable LockAttempt renewingRemainder(long nowNanos) {
		long leftMillis = TimeUnit.NANOSECONDS.toMillis(remainingNanos(nowNanos));
		return (leftMillis > 0) ? sending(this.attempt.withLeaseMillis(leftMillis), nowNanos) : null;
	}

	/**
	 * Note a renewal that is sent: it may take effect without a reply, and may shorten
	 * the lease.
	 */
	private LockAttempt sending(LockAttempt renewed, long nowNanos) {
		this.latest = new Renewal(renewed, nowNanos);
		long deadline = deadline(nowNanos, renewed);
		if (deadline - this.deadlineNanos < 0) {
			this.deadlineNanos = deadline;
			long due = due(nowNanos, renewed);
			this.dueNanos = (due - this.dueNanos < 0) ? due : this.dueNanos;
		}
		return renewed;
	}

	/** Return whether no other renewal was sent after this one. */
	boolean isLatest(LockAttempt renewed, long sentNanos) {
		return new Renewal(renewed, sentNanos).equals(this.latest);
	}

	/**
	 * Restart the lease, as the store has done. Only the reply to the latest renewal
	 * moves the deadline, since that renewal may be shorter than earlier ones.
	 */
	void renewed(LockAttempt renewed, long sentNanos, RenewReply.Renewed reply) {
		this.polled = reply.queued() == LockStore.UNKNOWN_QUEUE;
		this.confirmed = new Renewal(renewed, sentNanos);
		this.tokens.reserve(reply.reserved());
		if (isLatest(renewed, sentNanos)) {
			this.length = Duration.ofMillis(renewed.leaseMillis());
			this.deadlineNanos = deadline(sentNanos, renewed);
			this.dueNanos = due(sentNanos, renewed);
			this.adopted = false;
		}
	}

	/** Describe the renewals, for the message of a loss. */
	String history(long nowNanos) {
		Renewal last = this.confirmed;
		String renewal = (last != null) ? "last renewed " + millis(nowNanos - last.sentNanos()) + " ago"
				: "never renewed";
		long left = this.deadlineNanos - nowNanos;
		return renewal + ", deadline " + ((left > 0) ? "in " + millis(left) : millis(-left) + " ago")
				+ ((left < -STALL_NANOS) ? ", since this JVM or its machine stood still" : "");
	}

	private static String millis(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
	}

	/**
	 * Return true once, since a loss is reported once, however many callers hold the
	 * lease.
	 */
	boolean isFirstToReportItsLoss() {
		return this.lossReported.compareAndSet(false, true);
	}

	long lastToken() {
		return this.tokens.last;
	}

	/**
	 * Return the token of the next holder within this lease, or -1 if none is reserved.
	 */
	long nextToken() {
		return this.tokens.next();
	}

	/** Return whether it is time to reserve more tokens; true once. */
	boolean isShortOfTokens() {
		return this.tokens.last == this.tokens.half;
	}

	private record Renewal(LockAttempt attempt, long sentNanos) {

	}

	/**
	 * The tokens that the store has reserved. They may be behind the store's time but not
	 * ahead of it: after a fail-over that lost the last tokens, the time of the new
	 * server has to be above these tokens.
	 */
	private static final class Tokens {

		/** The highest token that was issued. */
		private long last;

		private long reserved;

		/** The token at which half of the reserved tokens are used. */
		private long half;

		Tokens(long first, long reserved) {
			this.last = first;
			this.reserved = reserved;
			setHalf();
		}

		long next() {
			return (this.last < this.reserved) ? ++this.last : -1;
		}

		/** Reserve the tokens up to this one, or more if more are reserved already. */
		void reserve(long token) {
			this.reserved = Math.max(this.reserved, token);
			setHalf();
		}

		private void setHalf() {
			long half = (this.reserved - this.last) / 2;
			this.half = (half > 0) ? this.last + half : -1;
		}

	}

}
