package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.Backoff;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;

/**
 * The requests of an attempt for its lock: what the store last replied, and when to
 * request again. Guarded by the mutex of the {@link LockQueue}.
 */
final class PendingAcquire {

	/**
	 * How long to wait for the first reply if the wait time is shorter: an attempt at a
	 * healthy store takes less. Before the first reply it is unknown whether the lock is
	 * busy.
	 */
	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** A queued attempt is confirmed at the store after this time. */
	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final long FOREIGN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long UNKNOWN_NANOS = Long.MAX_VALUE / 4;

	/**
	 * The place of an attempt whose grant overtook the reply that the attempt was queued.
	 */
	private static final Queueing FIRST = Queueing.since(0);

	private final long firstSentNanos;

	private LockAttempt attempt;

	private Progress progress = Progress.UNSENT;

	private Report report = Report.NOTHING;

	private int pauses;

	/** When to request again, unless something else happens before. */
	private long againNanos;

	/** Whether the lock may have become free since the last request. */
	private boolean notified;

	/**
	 * Whether a request of the attempt got no reply; the request may still reach the
	 * store.
	 */
	private boolean unknown;

	/** Whether a request was repeated without a pause. */
	private boolean repeated;

	/** Where the attempt was first queued, even if a later reply did not queue it. */
	private Queueing place = Queueing.TAIL;

	private LockPushes.@Nullable Grant grant;

	/**
	 * Create the requests of an attempt.
	 * @param sendNanos when the first one is sent
	 */
	PendingAcquire(LockAttempt attempt, long sendNanos) {
		this.attempt = attempt;
		this.firstSentNanos = sendNanos;
		this.againNanos = sendNanos;
	}

	LockAttempt attempt() {
		return this.attempt;
	}

	/** Return the time until a queued attempt is confirmed again, jittered. */
	static long intervalNanos(RandomGenerator random) {
		return INTERVAL_NANOS - random.nextLong(INTERVAL_NANOS / 8);
	}

	// ---- requests

	/** Return whether a request has been sent. */
	boolean isSent() {
		return this.progress != Progress.UNSENT;
	}

	/** Note that the next request is sent, and return the attempt that it is for. */
	LockAttempt send(long leaseMillis) {
		this.progress = isAnswered() ? Progress.UNDER_WAY_AGAIN : Progress.UNDER_WAY;
		this.notified = false;
		this.grant = null;
		this.attempt = this.attempt.withLeaseMillis(leaseMillis);
		return this.attempt;
	}

	/**
	 * Return the place of the next request. The attempt keeps its place in the queue if
	 * an earlier request may have arrived.
	 */
	Queueing nextPlace(long nowNanos) {
		return (this.unknown && !this.place.isAgain())
				? Queueing.unansweredFor(TimeUnit.NANOSECONDS.toMicros(nowNanos - this.firstSentNanos)) : this.place;
	}

	/**
	 * Wait until it is time for the next request: when the owner's lease is over, or
	 * sooner. A queued attempt is sent again only to stay in the queue, an attempt that
	 * waits for a push is sent again in case the push is lost, and any other attempt
	 * after a growing pause.
	 */
	void pause(long nowNanos, RandomGenerator random) {
		long pause = Backoff.pauseNanos(this.pauses++, random);
		AcquireReply last = (this.report.failure == null) ? this.report.reply : null;
		if (last instanceof AcquireReply.Queued queued && queued.foreign()) {
			pause = Math.min(pause, FOREIGN_NANOS);
		}
		else if (last instanceof AcquireReply.Queued || (last instanceof AcquireReply.Busy busy && busy.notified())) {
			pause = intervalNanos(random);
		}
		this.againNanos = nowNanos + Math.min(pause, busyNanos(nowNanos));
	}

	/**
	 * Request again as soon as an attempt that has left would have done: the attempt may
	 * have learned that the owner's lease ends earlier.
	 */
	void requestInsteadOf(PendingAcquire left, long nowNanos) {
		long busyUntilNanos = nowNanos + Math.min(busyNanos(nowNanos), left.busyNanos(nowNanos));
		this.report = this.report.busyUntil(busyUntilNanos);
		this.againNanos = MonotonicClock.earlier(this.againNanos, busyUntilNanos);
	}

	/** Return when to request again. */
	long againNanos() {
		return this.againNanos;
	}

	/** Return since when the attempt has waited in the queue of the store, if it has. */
	Queueing place() {
		return this.place;
	}

	/** Return for how long the owner's lease is known to run. */
	private long busyNanos(long nowNanos) {
		return (this.report.failure == null && this.report.reply != null) ? this.report.busyUntilNanos - nowNanos
				: UNKNOWN_NANOS;
	}

	/** Return whether the store has replied to a request, or failed to. */
	private boolean isAnswered() {
		return this.progress == Progress.ANSWERED || this.progress == Progress.UNDER_WAY_AGAIN;
	}

	/** Return whether a request got no reply, and may still reach the store. */
	boolean isUnknown() {
		return this.unknown;
	}

	/** Return whether the store may remember the attempt. */
	boolean mayBeRemembered() {
		return this.unknown || this.place.isAgain();
	}

	/**
	 * Return true once for a request whose connection was cut: this must not fail a
	 * caller that tries once.
	 */
	boolean mayRepeat() {
		boolean may = !this.repeated;
		this.repeated = true;
		return may;
	}

	// ---- replies

	/**
	 * Note that the store has replied or failed.
	 * @param refused whether the request has certainly not taken effect
	 */
	void note(Queueing queueing, long sentNanos, @Nullable AcquireReply reply, @Nullable Throwable failure,
			boolean refused, long nowNanos) {
		this.unknown |= failure != null && !refused;
		if (reply instanceof AcquireReply.Queued queued && !this.place.isAgain()) {
			this.place = queueing.from(queued.storeMicros());
		}
		this.progress = Progress.ANSWERED;
		if (failure != null) {
			this.report = this.report.failed(failure, sentNanos);
		}
		else if (reply instanceof AcquireReply.Busy busy) {
			this.report = new Report(busy, sentNanos, busyUntilNanos(busy.remainingMillis(), nowNanos));
		}
		else if (reply instanceof AcquireReply.Queued queued) {
			this.report = new Report(queued, sentNanos, busyUntilNanos(queued.remainingMillis(), nowNanos));
		}
	}

	private static long busyUntilNanos(long remainingMillis, long nowNanos) {
		return nowNanos + ((remainingMillis >= 0) ? TimeUnit.MILLISECONDS.toNanos(remainingMillis + 1) : UNKNOWN_NANOS);
	}

	/**
	 * Return whether what is known is newer than a reply: an older grant must not be
	 * revived.
	 */
	boolean isNewerThan(AcquireReply reply) {
		AcquireReply.Queued queued = this.report.queued();
		return queued != null && reply instanceof AcquireReply.Queued older
				&& older.storeMicros() < queued.storeMicros();
	}

	// ---- pushes

	/**
	 * Note that the lock may be free, and return whether this concerns the attempt, which
	 * may have a request under way.
	 */
	boolean released() {
		this.notified = isSent();
		return this.notified;
	}

	boolean isNotified() {
		return this.notified;
	}

	/** Note that the store has granted the lock to the attempt. */
	void granted(LockPushes.Grant grant) {
		this.grant = grant;
		this.place = this.place.isAgain() ? this.place : FIRST;
	}

	/**
	 * Return whether there is a grant to claim. A grant that is older than a reply by
	 * which the attempt was queued again is not valid.
	 */
	boolean hasClaim() {
		AcquireReply.Queued queued = this.report.queued();
		return this.grant != null && (queued == null || this.grant.storeMicros() >= queued.storeMicros());
	}

	/**
	 * Claim a grant, if it is valid and its time can be converted.
	 * @param suspendedSince returns whether the machine was suspended after a time
	 */
	@Nullable Lease claim(LongPredicate suspendedSince, long nowNanos) {
		return (this.grant != null && hasClaim() && !suspendedSince.test(comparedNanos())) ? claim(this.grant, nowNanos)
				: null;
	}

	/** Return when the request was sent with whose reply a grant is compared. */
	private long comparedNanos() {
		return (this.report.queued() != null) ? this.report.sentNanos : this.firstSentNanos;
	}

	/**
	 * Claim a valid grant. The time of the grant is converted to the time of this JVM on
	 * the safe side: the reply with which the grant is compared was made after its
	 * request was sent, and without a reply the lock was not granted before the first
	 * request. A time in the future means that the store's clock was changed, or is
	 * another clock after a fail-over.
	 */
	private @Nullable Lease claim(LockPushes.Grant grant, long nowNanos) {
		LockAttempt granted = this.attempt.withLeaseMillis(grant.attempt().leaseMillis());
		AcquireReply.Queued queued = this.report.queued();
		long sinceMicros = (queued == null) ? 0 : grant.storeMicros() - queued.storeMicros();
		long grantedNanos = comparedNanos() + Lease.leastNanos(sinceMicros);
		if (grantedNanos - nowNanos > Lease.driftNanos(granted.leaseMillis())) {
			return null;
		}
		long baseNanos = nowNanos - Math.max(0, nowNanos - grantedNanos);
		Lease lease = new Lease(granted, baseNanos,
				new AcquireReply.Owned(grant.token(), grant.reserved(), grant.queued()));
		return lease.isOver(nowNanos) ? null : lease;
	}

	// ---- the end

	/** Tell the lease that the attempt owns what may still happen to its requests. */
	void end(Lease lease) {
		if (this.unknown) {
			lease.mayBeTakenLate();
		}
		lease.requested(isUnderWay());
	}

	/** Return whether a request may still get a reply. */
	boolean isUnderWay() {
		return this.progress == Progress.UNDER_WAY || this.progress == Progress.UNDER_WAY_AGAIN;
	}

	/**
	 * Return until when a caller whose wait time is over waits for the first reply, which
	 * may be in the past.
	 */
	long graceNanos(long nowNanos) {
		return (this.progress == Progress.UNDER_WAY) ? this.firstSentNanos + SLOW_NANOS : nowNanos;
	}

	/** Return for how long the store has failed without a reply in between. */
	long failingNanos(long nowNanos) {
		return (this.report.failure != null) ? nowNanos - this.report.failingSinceNanos : 0;
	}

	/** Return the outcome for a waiter that leaves now. */
	Outcome refusal(long nowNanos) {
		Throwable failure = this.report.failure;
		if (failure != null) {
			return new Outcome.Failed(failure);
		}
		if (!isAnswered() && nowNanos - this.firstSentNanos >= SLOW_NANOS) {
			return new Outcome.Failed(new IllegalStateException(
					"no reply for " + TimeUnit.NANOSECONDS.toMillis(nowNanos - this.firstSentNanos) + " ms"));
		}
		long remaining = busyNanos(nowNanos);
		return new Outcome.Busy(
				(remaining < UNKNOWN_NANOS / 2) ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(remaining)) : -1);
	}

	/** How far the attempt has come, by its first request or by a later one. */
	private enum Progress {

		UNSENT, UNDER_WAY, ANSWERED, UNDER_WAY_AGAIN

	}

	/**
	 * The last reply by which the attempt is queued or the lock is busy, and the failures
	 * since then.
	 *
	 * @param sentNanos when the request of the reply was sent
	 * @param failingSinceNanos when the first of the requests that have failed was sent
	 */
	private record Report(@Nullable AcquireReply reply, long sentNanos, long busyUntilNanos,
			@Nullable Throwable failure, long failingSinceNanos) {

		private static final Report NOTHING = new Report(null, 0, 0, null, 0);

		Report(AcquireReply reply, long sentNanos, long busyUntilNanos) {
			this(reply, sentNanos, busyUntilNanos, null, 0);
		}

		Report busyUntil(long busyUntilNanos) {
			return new Report(this.reply, this.sentNanos, busyUntilNanos, this.failure, this.failingSinceNanos);
		}

		Report failed(Throwable failure, long sentNanos) {
			return new Report(this.reply, this.sentNanos, this.busyUntilNanos, failure,
					(this.failure != null) ? this.failingSinceNanos : sentNanos);
		}

		AcquireReply.@Nullable Queued queued() {
			return (this.reply instanceof AcquireReply.Queued queued) ? queued : null;
		}

	}

}
