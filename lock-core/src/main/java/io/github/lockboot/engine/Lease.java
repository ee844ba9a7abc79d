package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
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

	private static final long LONGEST_GRID_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	/** How long the store remembers the tokens without a renewal that reserves more. */
	private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(5);

	/** One part in so many is the difference between two clocks at most. */
	private static final int DRIFT = 100;

	/** Spreads hash codes (Knuth: The Art of Computer Programming, 6.4). */
	private static final int GOLDEN_RATIO = 0x9E3779B9;

	private final Tokens tokens;

	private volatile LockAttempt attempt;

	/**
	 * The term that ends first, of those that the store has confirmed or that may take
	 * effect without a reply.
	 */
	private volatile Term term;

	/** The last renewal that was sent, or the request. */
	private Term latest;

	/**
	 * How many renewals have no reply that may let the lease end sooner. None of those
	 * that were sent after the first of them is longer than those before.
	 */
	private int unanswered;

	private boolean adopted;

	/** How many other attempts waited when the store last replied. */
	private long queued;

	private boolean mayBeTakenLate;

	private boolean requested;

	/** The last renewal that the store has confirmed, or the request. */
	private volatile Term confirmed;

	/** When the lease may last have been over already; present once that was so. */
	private volatile @Nullable Long doubtedNanos;

	Lease(LockAttempt attempt, long sentNanos, AcquireReply.Owned reply) {
		this.attempt = attempt;
		this.tokens = new Tokens(reply.token(), reply.reserved(), sentNanos);
		this.queued = reply.queued();
		this.term = new Term(attempt, sentNanos, sentNanos, 0, false, true);
		this.latest = this.term;
		this.confirmed = this.term;
	}

	/**
	 * Return by how much the clocks of this JVM and of the store may drift apart within a
	 * lease.
	 */
	static long driftNanos(long leaseMillis) {
		return TimeUnit.MILLISECONDS.toNanos(leaseMillis) / DRIFT + TimeUnit.MILLISECONDS.toNanos(2);
	}

	/** Return how long it lasts here at least until the store's clock has gone on. */
	static long leastNanos(long storeMicros) {
		return TimeUnit.MICROSECONDS.toNanos(storeMicros / DRIFT * (DRIFT - 1));
	}

	/**
	 * Return the time of the next renewal: a third of the lease after the request, or up
	 * to an eighth of that earlier. Locks that were acquired together stay spread over
	 * this time, so that the renewal of a short lease never waits behind thousands of
	 * others; those that are due at about the same time are renewed together, with one
	 * wake-up of each thread and one packet.
	 */
	static long afterThird(long sentNanos, LockAttempt attempt) {
		long leaseNanos = TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
		long slice = attempt.id().hashCode() * GOLDEN_RATIO >>> 26;
		long thirdNanos = sentNanos + leaseNanos / 3 - leaseNanos / 24 * slice / 64;
		return thirdNanos - Math.floorMod(thirdNanos, Math.min(leaseNanos / 100, LONGEST_GRID_NANOS));
	}

	/** Return the time of the first renewal. */
	long firstRenewalNanos() {
		return afterThird(this.term.sentNanos(), this.attempt);
	}

	/** Return when the store was last asked for other attempts that wait. */
	long askedNanos() {
		return this.latest.askedNanos();
	}

	/**
	 * Return whether a renewal of a lease that stays with its holder has to ask who
	 * waits: the first one, and then each third one. A waiter tells that, and repeats
	 * itself.
	 */
	boolean isToAsk(long nowNanos) {
		return this.latest.isRequest() || nowNanos - askedNanos() >= length().toNanos() / 6 * 5;
	}

	/** Return how many other attempts waited when the store last replied. */
	long queued() {
		return this.queued;
	}

	/** Return whether others may poll for the lock without the store's knowledge. */
	boolean isPolled() {
		return this.queued == LockStore.UNKNOWN_QUEUE;
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

	/** Return the attempt with the longest lease that the store may still keep. */
	LockAttempt longest() {
		return this.attempt.withLeaseMillis(Math.max(this.attempt.leaseMillis(), this.confirmed.leaseMillis()));
	}

	long deadlineNanos() {
		return this.term.deadlineNanos();
	}

	Duration length() {
		return Duration.ofMillis(this.term.leaseMillis());
	}

	long remainingNanos(long nowNanos) {
		return Math.max(0, deadlineNanos() - nowNanos);
	}

	long remainingMillis(long nowNanos) {
		return TimeUnit.NANOSECONDS.toMillis(remainingNanos(nowNanos));
	}

	/** Return whether the store has confirmed a renewal that was sent after a time. */
	boolean isConfirmedSince(long nanos) {
		return !this.confirmed.isRequest() && confirmedNanos() - nanos >= 0;
	}

	/** Return when the last renewal was sent that the store has confirmed. */
	long confirmedNanos() {
		return this.confirmed.sentNanos();
	}

	/** Note that the lock may have been taken away. */
	void doubt(long nowNanos) {
		this.doubtedNanos = nowNanos;
	}

	/** Return whether the store has not confirmed the lease since it was doubted. */
	boolean isInDoubt() {
		Long doubted = this.doubtedNanos;
		return doubted != null && !isConfirmedSince(doubted);
	}

	/** Return how long ago a renewal should have succeeded. */
	long overdueNanos(long nowNanos) {
		return Math.max(0, nowNanos - this.term.dueNanos());
	}

	/** Return how much of the lease is left when a renewal is due. */
	long leftWhenDueNanos() {
		return Math.max(0, this.term.deadlineNanos() - this.term.dueNanos());
	}

	/**
	 * Return whether half of what is left when a renewal is due has passed (1), or three
	 * quarters of it (2).
	 */
	int risk(long leftWhenDueNanos, long nowNanos) {
		long remaining = remainingNanos(nowNanos);
		if (remaining <= leftWhenDueNanos / 4) {
			return 2;
		}
		return (remaining <= leftWhenDueNanos / 2) ? 1 : 0;
	}

	/** Return when the risk grows; the deadline if it does not. */
	long nextRiskNanos(long leftWhenDueNanos, long nowNanos) {
		int risk = risk(leftWhenDueNanos, nowNanos);
		return deadlineNanos() - ((risk < 2) ? leftWhenDueNanos / (2 + 2 * risk) : 0);
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
		long wholeMillis = this.adopted ? Math.min(leaseMillis, this.term.leaseMillis()) : leaseMillis;
		return remainingNanos(nowNanos) >= TimeUnit.MILLISECONDS.toNanos(wholeMillis) / 2;
	}

	/** Return whether the store does not know of a new length yet. */
	boolean awaitsItsFirstRenewal() {
		return this.adopted && this.latest.isRequest();
	}

	/**
	 * Return the renewal to send; {@code null} if the holder's lease is fixed, or if its
	 * maximum hold time is over. It is not longer than one that may take effect later.
	 */
	@Nullable LockAttempt renewing(boolean wanted, long millisToMaximum) {
		long leaseMillis = Math.min(this.attempt.leaseMillis(), millisToMaximum);
		if (leaseMillis <= 0 || !(wanted || this.adopted)) {
			return null;
		}
		return this.attempt.withLeaseMillis(mayLast(leaseMillis) ? leaseMillis : this.latest.leaseMillis());
	}

	/**
	 * Return the renewal to send after the machine was suspended, for a holder with a
	 * fixed lease: the renewal covers the rest of the lease.
	 */
	@Nullable LockAttempt renewingRemainder(long nowNanos) {
		long leftMillis = remainingMillis(nowNanos);
		return (leftMillis > 0) ? this.attempt.withLeaseMillis(leftMillis) : null;
	}

	/** Return whether no renewal may still take effect that is shorter. */
	boolean mayLast(long leaseMillis) {
		return isSettled() || leaseMillis <= this.latest.leaseMillis();
	}

	/** Return whether no renewal that may shorten the lease is without a reply. */
	boolean isSettled() {
		return this.unanswered == 0;
	}

	/**
	 * Send a renewal. If it is not shorter, and if the store need not remember more
	 * tokens, it only extends the lease: but not while another renewal has no reply that
	 * may let the lease end sooner, and take effect after the extension.
	 * @param mayExtend whether the holder allows that
	 */
	Term send(LockAttempt renewal, boolean mayExtend, boolean asks, long nowNanos) {
		boolean extension = mayExtend && isSettled() && !this.tokens.areShort(nowNanos)
				&& renewal.leaseMillis() >= this.latest.leaseMillis();
		int restart = extension ? 0 : 1;
		Term term = new Term(renewal, nowNanos, asks ? nowNanos : askedNanos(), this.latest.restarts() + restart,
				extension, asks);
		this.latest = term;
		this.unanswered += restart;
		if (!extension && term.deadlineNanos() - deadlineNanos() < 0) {
			this.term = term; // without a reply, too
		}
		return term;
	}

	/** Return whether no other renewal was sent after this one. */
	boolean isLatest(Term renewal) {
		return renewal == this.latest;
	}

	/** Note that the store has replied to a renewal. */
	void answered(Term renewal) {
		this.unanswered -= renewal.isExtension() ? 0 : 1;
	}

	/**
	 * Restart the lease, as the store has done. A reply does not move the deadline if
	 * another renewal was sent later that may be shorter; that to an extension only moves
	 * it forward.
	 */
	void renewed(Term renewal, RenewReply.Renewed reply) {
		this.queued = reply.queued();
		this.confirmed = renewal;
		this.tokens.reserve(reply.reserved());
		if (!renewal.isExtension()) {
			this.tokens.rememberedNanos = renewal.sentNanos();
		}
		boolean current = renewal.restarts() == this.latest.restarts();
		if (current && (!renewal.isExtension() || renewal.deadlineNanos() - deadlineNanos() > 0)) {
			this.term = renewal;
		}
		if (isLatest(renewal)) {
			this.adopted = false;
		}
	}

	/** Describe the renewals, for the message of a loss. */
	String history(long nowNanos) {
		String renewal = this.confirmed.isRequest() ? "never renewed"
				: "last renewed " + millis(nowNanos - confirmedNanos()) + " ago";
		long left = deadlineNanos() - nowNanos;
		return renewal + ", deadline " + ((left > 0) ? "in " + millis(left) : millis(-left) + " ago")
				+ ((left < -STALL_NANOS) ? ", since this JVM or its machine stood still" : "");
	}

	private static String millis(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
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
		return this.tokens.left == this.tokens.half;
	}

	/**
	 * A time for which the store was asked to keep a lock: by the request that got it, or
	 * by a renewal.
	 *
	 * @param askedNanos when the store was last asked for other attempts that wait
	 * @param restarts how many renewals were sent so far, with this one, that may let the
	 * lease end sooner
	 * @param isExtension whether this one lets it end later only
	 * @param asks whether the reply has to tell if others wait
	 */
	record Term(LockAttempt attempt, long sentNanos, long askedNanos, int restarts, boolean isExtension, boolean asks) {

		/** Return whether this is the request and no renewal. */
		boolean isRequest() {
			return this.restarts == 0 && !this.isExtension;
		}

		long leaseMillis() {
			return this.attempt.leaseMillis();
		}

		long deadlineNanos() {
			return this.sentNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis()) - driftNanos(leaseMillis());
		}

		/** Return when a third of the term has passed. */
		long dueNanos() {
			return this.sentNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis()) / 3;
		}

	}

	/**
	 * The tokens that the store has reserved. They may be behind the store's time but not
	 * ahead of it: after a fail-over that lost the last tokens, the time of the new
	 * server has to be above these tokens.
	 */
	private static final class Tokens {

		/** The highest token that was issued. */
		private long last;

		/** How many more may be issued. */
		private int left;

		/** How many are left when half of those that were reserved are used. */
		private int half;

		/** When the store last remembered the tokens. */
		private long rememberedNanos;

		Tokens(long first, long reserved, long rememberedNanos) {
			this.rememberedNanos = rememberedNanos;
			this.last = first;
			reserve(reserved);
		}

		long next() {
			if (this.left == 0) {
				return -1;
			}
			this.left--;
			return ++this.last;
		}

		/** Reserve the tokens up to this one, or more if more are reserved already. */
		void reserve(long token) {
			this.left = (int) Math.max(this.left, Math.min(token - this.last, Integer.MAX_VALUE));
			this.half = (this.left > 1) ? this.left - this.left / 2 : -1;
		}

		/** Return whether the store has to reserve or to remember tokens. */
		boolean areShort(long nowNanos) {
			return nowNanos - this.rememberedNanos >= REMEMBERED_NANOS || this.left <= this.half;
		}

	}

}
