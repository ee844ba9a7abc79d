package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.Effect;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.Backoff;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;

/**
 * An attempt that does not own its lock yet. This class makes the requests of the attempt
 * to the store, and knows what the store last replied. Guarded by the mutex of its
 * {@link LockQueue}.
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

	private final LockQueue queue;

	private final LockEngine engine;

	private final MonotonicClock clock;

	private final long firstSentNanos;

	private LockAttempt attempt;

	private Report report = Report.NOTHING;

	private int pauses;

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

	/** Present once the attempt has owned the lock. */
	private @Nullable OwnedLease owned;

	/** Present between a reply and the next request. */
	private MonotonicClock.@Nullable Timer pause;

	/**
	 * Create an attempt.
	 * @param sendNanos when its first request is sent
	 */
	PendingAcquire(LockQueue queue, LockEngine engine, LockAttempt attempt, long sendNanos) {
		this.queue = queue;
		this.engine = engine;
		this.clock = engine.clock();
		this.attempt = attempt;
		this.firstSentNanos = sendNanos;
	}

	// ---- requests

	/**
	 * Request the lock. The attempt keeps its place in the queue if an earlier request
	 * may have arrived.
	 * @param blockNanos for how long the thread may block in the store
	 */
	Effect send(Waiter first, long blockNanos) {
		this.queue.enter(LockQueue.State.ACQUIRING);
		long now = this.clock.nanoTime();
		stop();
		this.report = this.report.with(this.report.isAnswered() ? Progress.UNDER_WAY_AGAIN : Progress.UNDER_WAY);
		this.notified = false;
		this.grant = null;
		this.attempt = this.attempt.withLeaseMillis(first.leaseMillis());
		Queueing place = (this.unknown && !this.place.isAgain())
				? Queueing.unansweredFor(TimeUnit.NANOSECONDS.toMicros(now - this.firstSentNanos)) : this.place;
		Request request = new Request(this.attempt, this.queue.seenToken(), first.isLeaving() ? Queueing.NO : place,
				now);
		return () -> LockStore
			.call(() -> this.engine.store().acquire(request.attempt, request.seenToken, request.queueing, blockNanos))
			.whenComplete((reply, failure) -> this.queue
				.transit(() -> answered(request, reply, (failure != null) ? StageFailure.cause(failure) : null)));
	}

	/** Request the lock again, if somebody waits for it. */
	Effect repeat() {
		Waiter first = this.queue.first();
		return (first != null) ? send(first, 0) : Effect.NONE;
	}

	/** Wait until it is time for the next request. */
	private Effect pause() {
		this.queue.enter(LockQueue.State.WAITING);
		long againNanos = againNanos(this.clock.nanoTime(), this.clock.random());
		stop();
		this.pause = this.place.isAgain()
				? this.engine.queuedAttempts()
					.add(this.attempt, this.place.sinceMicros(), againNanos, this.queue::requestAgain, this::confirmed)
				: this.clock.schedule(againNanos, this.queue::requestAgain);
		return Effect.NONE;
	}

	/** Wait for the time of the first request. */
	Effect await() {
		this.queue.enter(LockQueue.State.WAITING);
		this.pause = this.clock.schedule(this.firstSentNanos, this.queue::requestAgain);
		return Effect.NONE;
	}

	/**
	 * Return when to send again: when the owner's lease is over, or sooner. A queued
	 * attempt is sent again only to stay in the queue, an attempt that waits for a push
	 * is sent again in case the push is lost, and any other attempt after a growing
	 * pause.
	 */
	private long againNanos(long nowNanos, RandomGenerator random) {
		long pause = Backoff.pauseNanos(this.pauses++, random);
		AcquireReply last = (this.report.failure == null) ? this.report.reply : null;
		if (last instanceof AcquireReply.Queued queued && queued.foreign()) {
			pause = Math.min(pause, FOREIGN_NANOS);
		}
		else if (last instanceof AcquireReply.Queued || (last instanceof AcquireReply.Busy busy && busy.notified())) {
			pause = QueuedAttempts.intervalNanos(random);
		}
		return nowNanos + Math.min(pause, busyNanos(nowNanos));
	}

	/** Return for how long the owner's lease is known to run. */
	private long busyNanos(long nowNanos) {
		return (this.report.failure == null && this.report.reply != null) ? this.report.busyUntilNanos - nowNanos
				: UNKNOWN_NANOS;
	}

	void stop() {
		if (this.pause != null) {
			this.pause.cancel();
			this.pause = null;
		}
	}

	/** Forget the attempt, also in the store if the store may remember the attempt. */
	Effect leave() {
		if (this.unknown || this.place.isAgain()) {
			return this::abandon;
		}
		this.engine.forget(this.attempt);
		return Effect.NONE;
	}

	private void abandon() {
		this.engine.abandon(this.attempt, !this.unknown);
	}

	// ---- replies

	private Effect answered(Request request, @Nullable AcquireReply reply, @Nullable Throwable failure) {
		LockStore store = this.engine.store();
		note(request, reply, failure, failure != null && store.isRefusal(failure));
		if (!this.queue.isPending(this)) {
			return answeredLate(reply);
		}
		if (failure != null && this.queue.first() != null && store.isConnectionLost(failure) && !this.repeated) {
			// a cut connection must not fail a caller that tries once
			this.repeated = true;
			return repeat();
		}
		return (reply instanceof AcquireReply.Owned acquired) ? acquired(request, acquired)
				: notAcquired(reply instanceof AcquireReply.Busy && !request.queueing.wanted());
	}

	/**
	 * Note that the store has replied or failed; a refusal has certainly not taken
	 * effect.
	 */
	private void note(Request request, @Nullable AcquireReply reply, @Nullable Throwable failure, boolean refused) {
		this.unknown |= failure != null && !refused;
		if (reply instanceof AcquireReply.Queued queued && !this.place.isAgain()) {
			this.place = request.queueing.from(queued.storeMicros());
		}
		this.report = this.report.with(Progress.ANSWERED);
		if (failure != null) {
			this.report = this.report.failed(failure, request.sentNanos);
		}
		else if (reply instanceof AcquireReply.Busy busy) {
			this.report = new Report(busy, request.sentNanos, busyUntilNanos(busy.remainingMillis()));
		}
		else if (reply instanceof AcquireReply.Queued queued) {
			this.report = new Report(queued, request.sentNanos, busyUntilNanos(queued.remainingMillis()));
		}
	}

	private long busyUntilNanos(long remainingMillis) {
		return this.clock.nanoTime()
				+ ((remainingMillis >= 0) ? TimeUnit.MILLISECONDS.toNanos(remainingMillis + 1) : UNKNOWN_NANOS);
	}

	/**
	 * Own the lock. A store that has lost tokens may reply with a token that another
	 * queue of this JVM has issued since the request was sent.
	 */
	private Effect acquired(Request request, AcquireReply.Owned reply) {
		Lease lease = new Lease(request.attempt, request.sentNanos, reply);
		boolean issued = this.queue.issue(lease.lastToken()) || lease.lastToken() <= request.seenToken;
		if (issued && !lease.isOver(this.clock.nanoTime())) {
			return this.queue.own(this, lease);
		}
		// or this JVM was suspended between request and reply
		Effect abandon = () -> this.engine.abandon(lease);
		return abandon.then(this.queue.requestNextLease(false));
	}

	private Effect notAcquired(boolean mayQueueNow) {
		Lease lease = claim();
		if (lease != null) {
			return this.queue.own(this, lease);
		}
		this.queue.ownedElsewhere();
		if (this.queue.first() == null) {
			return this.queue.giveUp(this);
		}
		return (mayQueueNow || hasClaim() || this.notified) ? repeat() : pause();
	}

	/**
	 * Handle a reply that a grant has overtaken. If the attempt is over by now, it may
	 * own the lock again, or wait for it. While the release of the attempt is under way,
	 * a second release could come first and make the first one look like a loss. A lock
	 * that is kept for a minimum hold time is left to its lease. Only a reply from before
	 * the grant shows that nobody else has held the lock since.
	 */
	private Effect answeredLate(@Nullable AcquireReply reply) {
		boolean isNoRefusal = reply instanceof AcquireReply.Owned || reply instanceof AcquireReply.Queued;
		OwnedLease owned = this.owned;
		if (!(isNoRefusal || this.unknown) || (owned != null && owned.isKept())) {
			return Effect.NONE;
		}
		if (owned == null || !(owned.isReleasing() || owned.isRenewed())) {
			return this::abandon;
		}
		if (owned.isReleasing() || this.unknown) {
			owned.lease().mayBeTakenLate();
		}
		else if (reply instanceof AcquireReply.Queued && hasClaim()) {
			owned.lease().requested(false);
		}
		return Effect.NONE;
	}

	private void confirmed(QueuedAttempts.Confirmation confirmation) {
		AcquireReply reply = confirmation.reply();
		Throwable failure = confirmation.failure();
		this.queue.transit(() -> {
			if (!this.queue.isWaitingFor(this)) {
				// the attempt may have been queued again after it had left
				return this.engine.isKnown(this.attempt) ? Effect.NONE
						: () -> this.engine.abandon(this.attempt, failure == null);
			}
			if (failure == null && (reply == null || isNewerThan(reply))) {
				return repeat();
			}
			note(new Request(this.attempt, 0, this.place, confirmation.sentNanos()), reply, failure, true);
			return pause();
		});
	}

	/**
	 * Return whether a grant is newer than a reply: an older grant must not be revived.
	 */
	private boolean isNewerThan(AcquireReply reply) {
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
		this.notified = this.report.progress != Progress.UNSENT;
		return this.notified;
	}

	/** Note that the store has granted the lock to the attempt. */
	Effect granted(LockPushes.Grant grant) {
		this.grant = grant;
		this.place = this.place.isAgain() ? this.place : FIRST;
		Lease lease = claim();
		if (lease != null) {
			return this.queue.own(this, lease);
		}
		// the claim window may be over; the reply to a request under way will show
		return hasClaim() ? this.queue.requestAgainIfWaiting() : Effect.NONE;
	}

	/**
	 * Return whether there is a grant to claim. A grant that is older than a reply by
	 * which the attempt was queued again is not valid.
	 */
	private boolean hasClaim() {
		AcquireReply.Queued queued = this.report.queued();
		return this.grant != null && (queued == null || this.grant.storeMicros() >= queued.storeMicros());
	}

	/**
	 * Claim a grant, unless this JVM has already issued its token: then the store has
	 * lost tokens in a fail-over, and a request sends the highest token to the store.
	 */
	private @Nullable Lease claim() {
		Lease lease = (this.grant != null && hasClaim()) ? claim(this.grant, this.clock.nanoTime()) : null;
		return (lease != null && this.queue.issue(lease.lastToken())) ? lease : null;
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
		long grantedNanos = (queued == null) ? this.firstSentNanos
				: this.report.sentNanos + TimeUnit.MICROSECONDS.toNanos(grant.storeMicros() - queued.storeMicros());
		if (grantedNanos - nowNanos > Lease.driftNanos(granted)) {
			return null;
		}
		long baseNanos = nowNanos - Math.max(0, nowNanos - grantedNanos);
		Lease lease = new Lease(granted, baseNanos,
				new AcquireReply.Owned(grant.token(), grant.reserved(), grant.queued()));
		return lease.isOver(nowNanos) ? null : lease;
	}

	// ---- for the queue

	boolean isOf(LockAttempt attempt) {
		return this.attempt.id().equals(attempt.id());
	}

	/** Hand over to the lease that the attempt owns. */
	void end(OwnedLease owned) {
		this.owned = owned;
		if (this.unknown) {
			owned.lease().mayBeTakenLate();
		}
		owned.lease().requested(this.report.isUnderWay());
	}

	/**
	 * Return how much longer a caller whose wait time is over waits for the first reply.
	 */
	long graceNanos(long nowNanos) {
		return (this.report.progress == Progress.UNDER_WAY) ? this.firstSentNanos + SLOW_NANOS - nowNanos : 0;
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
		if (!this.report.isAnswered() && nowNanos - this.firstSentNanos >= SLOW_NANOS) {
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
	private record Report(Progress progress, @Nullable AcquireReply reply, long sentNanos, long busyUntilNanos,
			@Nullable Throwable failure, long failingSinceNanos) {

		private static final Report NOTHING = new Report(Progress.UNSENT, null, 0, 0, null, 0);

		Report(AcquireReply reply, long sentNanos, long busyUntilNanos) {
			this(Progress.ANSWERED, reply, sentNanos, busyUntilNanos, null, 0);
		}

		Report with(Progress progress) {
			return new Report(progress, this.reply, this.sentNanos, this.busyUntilNanos, this.failure,
					this.failingSinceNanos);
		}

		Report failed(Throwable failure, long sentNanos) {
			return new Report(Progress.ANSWERED, this.reply, this.sentNanos, this.busyUntilNanos, failure,
					(this.failure != null) ? this.failingSinceNanos : sentNanos);
		}

		boolean isUnderWay() {
			return this.progress == Progress.UNDER_WAY || this.progress == Progress.UNDER_WAY_AGAIN;
		}

		/** Return whether the store has replied to a request, or failed to. */
		boolean isAnswered() {
			return this.progress == Progress.ANSWERED || this.progress == Progress.UNDER_WAY_AGAIN;
		}

		AcquireReply.@Nullable Queued queued() {
			return (this.reply instanceof AcquireReply.Queued queued) ? queued : null;
		}

	}

	private record Request(LockAttempt attempt, long seenToken, Queueing queueing, long sentNanos) {

	}

}
