package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.Backoff;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;

/**
 * An attempt that does not own its lock yet: when its requests were sent, and what the
 * store last replied. Guarded by the mutex of its {@link LockQueue}.
 */
final class PendingAcquire {

	/**
	 * How long to wait for the first reply if the wait time is shorter: an attempt at a
	 * healthy store takes less. Before the first reply it is unknown whether the lock is
	 * busy.
	 */
	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long FOREIGN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long UNKNOWN_NANOS = Long.MAX_VALUE / 4;

	/**
	 * The place of an attempt whose grant overtook the reply that the attempt was queued.
	 */
	private static final Queueing FIRST = Queueing.since(0);

	private LockOwner attempt;

	private Queueing queueing = Queueing.NO;

	private final long firstSentNanos;

	private int pauses;

	private boolean sent;

	/** Whether the last request has neither been answered nor failed. */
	private boolean underWay;

	private boolean answered;

	/** Whether the lock may have become free since the last request. */
	private boolean notified;

	/** Whether the store will push a message once the lock may be free. */
	private boolean waitsForPush;

	private @Nullable Throwable failure;

	/** When the first of the requests that have failed since the last reply was sent. */
	private long failingSinceNanos;

	/**
	 * Whether a request of the attempt got no reply; the request may still reach the
	 * store.
	 */
	private boolean unknown;

	/** Whether a request was repeated without a pause. */
	private boolean repeated;

	/** Where the attempt was first queued, even if a later reply did not queue it. */
	private Queueing place = Queueing.TAIL;

	/** The last reply by which the attempt is queued, and when its request was sent. */
	private AcquireReply.@Nullable Queued queued;

	private long queuedSentNanos;

	private long busyUntilNanos;

	private LockPushes.@Nullable Grant grant;

	/** Present once the attempt has owned the lock. */
	private @Nullable OwnedLease owned;

	/** Present between a reply and the next request. */
	private MonotonicClock.@Nullable Timer pause;

	PendingAcquire(LockOwner attempt, long nowNanos) {
		this.attempt = attempt;
		this.firstSentNanos = nowNanos;
	}

	/** Note that the attempt owns the lock. */
	void granted(OwnedLease owned) {
		this.owned = owned;
	}

	@Nullable OwnedLease owned() {
		return this.owned;
	}

	LockOwner attempt() {
		return this.attempt;
	}

	Queueing queueing() {
		return this.queueing;
	}

	/**
	 * Return how much longer a caller whose wait time is over waits for the first reply.
	 */
	long graceNanos(long nowNanos) {
		return (this.answered || this.pause != null) ? 0 : this.firstSentNanos + SLOW_NANOS - nowNanos;
	}

	/** Return for how long the store has failed without a reply in between. */
	long failingNanos(long nowNanos) {
		return (this.failure != null) ? nowNanos - this.failingSinceNanos : 0;
	}

	/**
	 * Return whether the attempt may come to own the lock without our knowledge. A later
	 * reply changes nothing, because another connection may have carried it.
	 */
	boolean isUnknown() {
		return this.unknown;
	}

	/** Return whether a request may still reach the store. */
	boolean isUnderWay() {
		return this.underWay;
	}

	/** Return whether the store may remember the attempt. */
	boolean leavesTraces() {
		return this.unknown || this.place.isAgain();
	}

	/**
	 * Note that the attempt is sent now. The attempt keeps its place in the queue if an
	 * earlier request may have arrived.
	 */
	void sending(long nowNanos, Waiter first) {
		stop();
		this.sent = true;
		this.underWay = true;
		this.notified = false;
		this.grant = null;
		this.attempt = this.attempt.withLeaseMillis(first.leaseMillis());
		Queueing place = (this.unknown && !this.place.isAgain())
				? Queueing.unansweredFor(TimeUnit.NANOSECONDS.toMicros(nowNanos - this.firstSentNanos)) : this.place;
		this.queueing = first.isLeaving() ? Queueing.NO : place;
	}

	/**
	 * Note that the store has replied or failed; a refusal has certainly not taken
	 * effect.
	 */
	void answered(long nowNanos, long sentNanos, @Nullable AcquireReply reply, @Nullable Throwable failure,
			boolean refused) {
		this.answered = true;
		this.underWay = false;
		if (failure != null && this.failure == null) {
			this.failingSinceNanos = sentNanos;
		}
		this.failure = failure;
		if (failure != null && !refused) {
			this.unknown = true;
		}
		long remainingMillis = -1;
		if (reply instanceof AcquireReply.Busy busy) {
			remainingMillis = busy.remainingMillis();
			this.waitsForPush = busy.notified();
			this.queued = null;
		}
		else if (reply instanceof AcquireReply.Queued queued) {
			remainingMillis = queued.remainingMillis();
			this.queued = queued;
			this.place = this.place.isAgain() ? this.place : this.queueing.from(queued.storeMicros());
			this.queuedSentNanos = sentNanos;
		}
		this.busyUntilNanos = nowNanos
				+ ((remainingMillis >= 0) ? TimeUnit.MILLISECONDS.toNanos(remainingMillis + 1) : UNKNOWN_NANOS);
	}

	/**
	 * Return true once, so that a cut connection does not fail a caller with a single
	 * attempt.
	 */
	boolean repeatsAtOnce() {
		boolean repeats = !this.repeated;
		this.repeated = true;
		return repeats;
	}

	/**
	 * Return whether a grant is newer than a reply: an older grant must not be revived.
	 */
	boolean isNewerThan(AcquireReply reply) {
		return this.queued != null && reply instanceof AcquireReply.Queued older
				&& older.storeMicros() < this.queued.storeMicros();
	}

	/** Return where the attempt was queued first, even if it is not queued now. */
	Queueing place() {
		return this.place;
	}

	/**
	 * Return when to send again: when the owner's lease is over, or sooner. A queued
	 * attempt is sent again only to stay in the queue, an attempt that waits for a push
	 * is sent again in case the push is lost, and any other attempt after a growing
	 * pause.
	 */
	long againNanos(long nowNanos, RandomGenerator random) {
		long pause = Backoff.pauseNanos(this.pauses++, random);
		if (this.waitsForPush && this.queued == null && this.failure == null) {
			pause = QueuedAttempts.intervalNanos(random);
		}
		if (this.queued != null && this.failure == null) {
			pause = this.queued.foreign() ? Math.min(pause, FOREIGN_NANOS) : QueuedAttempts.intervalNanos(random);
		}
		return nowNanos + Math.min(pause, this.busyUntilNanos - nowNanos);
	}

	/**
	 * Note that the lock may be free, and return whether this concerns the attempt, which
	 * may have a request under way.
	 */
	boolean notice() {
		this.notified = this.sent;
		return this.sent;
	}

	/** Return whether the lock may have become free since the last request. */
	boolean isNotified() {
		return this.notified;
	}

	/** Keep a grant until it is claimed, or the attempt is sent again. */
	void keep(LockPushes.Grant grant) {
		this.grant = grant;
		this.place = this.place.isAgain() ? this.place : FIRST;
	}

	/**
	 * Return whether there is a grant to claim. A grant that is older than a reply by
	 * which the attempt was queued again is not valid.
	 */
	boolean hasClaim() {
		return this.grant != null && (this.queued == null || this.grant.storeMicros() >= this.queued.storeMicros());
	}

	/**
	 * Claim the grant, if it is valid. The time of the grant is converted to the time of
	 * this JVM on the safe side: the reply with which the grant is compared was made
	 * after its request was sent, and without a reply the lock was not granted before the
	 * first request. A time in the future means that the store's clock was changed, or is
	 * another clock after a fail-over.
	 */
	@Nullable Lease claim(long nowNanos) {
		LockPushes.Grant grant = this.grant;
		if (grant == null || !hasClaim()) {
			return null;
		}
		LockOwner granted = this.attempt.withLeaseMillis(grant.attempt().leaseMillis());
		long grantedNanos = (this.queued == null) ? this.firstSentNanos
				: this.queuedSentNanos + TimeUnit.MICROSECONDS.toNanos(grant.storeMicros() - this.queued.storeMicros());
		if (grantedNanos - nowNanos > Lease.driftNanos(granted)) {
			return null;
		}
		long baseNanos = nowNanos - Math.max(0, nowNanos - grantedNanos);
		Lease lease = new Lease(granted, baseNanos,
				new AcquireReply.Owned(grant.token(), grant.reserved(), grant.queued()));
		return lease.isOver(nowNanos) ? null : lease;
	}

	/** Wait for the timer of the next request. */
	void pausing(MonotonicClock.Timer pause) {
		stop();
		this.pause = pause;
	}

	void stop() {
		if (this.pause != null) {
			this.pause.cancel();
			this.pause = null;
		}
	}

	/** Return the outcome for a waiter that leaves now. */
	Outcome refusal(long nowNanos) {
		if (this.failure != null) {
			return new Outcome.Failed(this.failure);
		}
		if (!this.answered && nowNanos - this.firstSentNanos >= SLOW_NANOS) {
			return new Outcome.Failed(new IllegalStateException(
					"no reply for " + TimeUnit.NANOSECONDS.toMillis(nowNanos - this.firstSentNanos) + " ms"));
		}
		long remaining = this.answered ? this.busyUntilNanos - nowNanos : UNKNOWN_NANOS;
		return new Outcome.Busy(
				(remaining < UNKNOWN_NANOS / 2) ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(remaining)) : -1);
	}

}
