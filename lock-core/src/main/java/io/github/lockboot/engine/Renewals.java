package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.Effect;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * The renewals of an {@link OwnedLease}. The lease is renewed after a third of its time,
 * and a renewal that fails is repeated soon: the lease is lost only if the store replies
 * that the attempt is not the owner, or if the deadline has passed. A lock that was
 * handed over has a short lease, whose first renewal can wait for a moment. The holders
 * are warned before a loss. Guarded by the mutex of the {@link LockQueue}.
 */
final class Renewals {

	static final String NOT_KNOWN = "the store no longer knows it as the owner";

	private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long LONGEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/**
	 * How long a push that was missed may delay others while a lock is retained, or
	 * passed on without a request.
	 */
	private static final long UNNOTICED_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * The lease of an idle lock, which is as long as that of a lock that was handed over.
	 */
	static final long IDLE_LEASE_MILLIS = 2000;

	/**
	 * How long a holder keeps the short lease of a lock that was handed over: most
	 * holders have released the lock by then, which saves a renewal.
	 */
	private static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long LONGEST_GRID_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** Spreads hash codes (Knuth: The Art of Computer Programming, 6.4). */
	private static final int GOLDEN_RATIO = 0x9E3779B9;

	private final OwnedLease owned;

	private final LockQueue queue;

	private final LockEngine engine;

	private final MonotonicClock clock;

	private final Lease lease;

	private MonotonicClock.@Nullable Timer timer;

	/** When to renew, unless a reply comes first. */
	private long nextNanos;

	/** The risk that the holders were warned of. */
	private int warnedRisk;

	private boolean logged;

	private @Nullable Throwable lastFailure;

	/** Why the lease is lost if the store no longer knows it. */
	private String expectedLoss = NOT_KNOWN;

	/** Whether the lease is still that of an idle lock. */
	private boolean shortened;

	/**
	 * The number of renewals of a short lease without a reply, which may take effect
	 * later.
	 */
	private int unanswered;

	private long wantedMillis;

	Renewals(OwnedLease owned, LockQueue queue, LockEngine engine, Lease lease) {
		this.owned = owned;
		this.queue = queue;
		this.engine = engine;
		this.clock = engine.clock();
		this.lease = lease;
	}

	private LockAttempt attempt() {
		return this.lease.attempt();
	}

	// ---- the length of the lease

	/**
	 * Adopt the length that a new holder requests. A short lease stays short while the
	 * store may still execute a renewal for it.
	 */
	Effect adopt(long leaseMillis) {
		this.wantedMillis = leaseMillis;
		if (this.shortened && this.unanswered > 0) {
			return Effect.NONE;
		}
		this.shortened = false;
		boolean renew = this.lease.adopt(leaseMillis);
		return (this.lease.isShortOfTokens() || renew) ? () -> this.queue.transit(this::renew) : Effect.NONE;
	}

	/** Shorten the lease, so that other JVMs do not wait for long if this JVM dies. */
	Effect shorten() {
		boolean ofSession = this.engine.store().traits().leases() == StoreTraits.Leases.SESSION;
		if (ofSession || this.shortened || attempt().leaseMillis() <= IDLE_LEASE_MILLIS) {
			return Effect.NONE;
		}
		this.shortened = true;
		this.lease.adopt(IDLE_LEASE_MILLIS);
		return renew();
	}

	/** Return whether no renewal has failed, or may take effect later. */
	boolean isSettled() {
		return this.lastFailure == null && this.unanswered == 0;
	}

	// ---- when to renew

	/**
	 * Schedule the first renewal, unless it has to be sent at once. A lock that was
	 * handed over has a short lease, which is enough for a holder that releases it soon.
	 * @param adopt the renewal to the length that the holder requests, or none if it has
	 * that length
	 */
	Effect begin(Effect adopt) {
		long now = this.clock.nanoTime();
		if (adopt == Effect.NONE) {
			scheduleAt(afterThird(this.lease.baseNanos(), attempt()), now);
			return Effect.NONE;
		}
		Hold holder = this.owned.holder();
		if (holder != null && this.owned.isLeft(holder, now) && isLongEnoughFor(holder, now)) {
			scheduleAt(now + BRIEF_NANOS, now);
			return Effect.NONE;
		}
		return adopt;
	}

	/** Return whether a lease that is to be longer is enough for a while. */
	private boolean isLongEnoughFor(Hold holder, long nowNanos) {
		Duration length = this.lease.length();
		long wantedMillis = Math.min(attempt().leaseMillis(), holder.millisToMaximum(nowNanos));
		return holder.isRenewed() && length.toMillis() < wantedMillis
				&& this.lease.remainingNanos(nowNanos) >= Math.max(length.toNanos() / 2, 10 * BRIEF_NANOS);
	}

	/**
	 * Adopt the length that a caller requests that received the lease without a request
	 * to the store. A lease that is used again is worth its first renewal, whose reply
	 * shows whether a waiter polls. A lease that has to outlive its holder until the
	 * minimum hold time is over begins again.
	 */
	Effect passedOn(long leaseMillis) {
		Effect adopt = adopt(leaseMillis);
		if (adopt != Effect.NONE) {
			return adopt;
		}
		Hold holder = this.owned.holder();
		boolean outlives = holder != null && holder.request().minHoldTime() != null;
		return (this.lease.awaitsItsFirstRenewal() || outlives) ? renew() : ask();
	}

	/**
	 * Ask the store from time to time whether others wait, while callers receive the
	 * lease without a request: the push about other waiters may be missed, or never be
	 * sent. A store whose waiters poll does not know its waiters.
	 */
	Effect ask() {
		boolean known = this.engine.store().traits().waiting() == StoreTraits.Waiting.GRANTS;
		return (known && this.clock.nanoTime() - this.lease.askedNanos() >= UNNOTICED_NANOS) ? renew() : Effect.NONE;
	}

	private void scheduleAt(long atNanos, long nowNanos) {
		this.nextNanos = atNanos;
		stop();
		long next = earlier(atNanos, this.lease.deadlineNanos());
		this.timer = this.clock.schedule(earlier(next, nextRiskNanos(nowNanos)), () -> this.queue.transit(this::look));
	}

	private static long earlier(long oneNanos, long otherNanos) {
		return (oneNanos - otherNanos < 0) ? oneNanos : otherNanos;
	}

	void stop() {
		if (this.timer != null) {
			this.timer.cancel();
		}
	}

	/**
	 * Return the time of the next renewal: a third of the lease after the request, or up
	 * to an eighth of that earlier. Locks that were acquired together stay spread over
	 * this time, so that the renewal of a short lease never waits behind thousands of
	 * others; those that are due at about the same time are renewed together, with one
	 * wake-up of each thread and one packet.
	 */
	private static long afterThird(long sentNanos, LockAttempt attempt) {
		long leaseNanos = TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
		long slice = attempt.id().hashCode() * GOLDEN_RATIO >>> 26;
		long thirdNanos = sentNanos + leaseNanos / 3 - leaseNanos / 24 * slice / 64;
		return thirdNanos - Math.floorMod(thirdNanos, Math.min(leaseNanos / 100, LONGEST_GRID_NANOS));
	}

	// ---- warnings before a loss

	/**
	 * Renew the lease if it is time, or warn the holders that no renewal has succeeded.
	 */
	private Effect look() {
		long now = this.clock.nanoTime();
		if (!this.owned.isRenewed() || this.lease.isOver(now) || this.nextNanos - now <= 0) {
			return renew();
		}
		scheduleAt(this.nextNanos, now);
		return warn(now);
	}

	/**
	 * Return how much of the lease is normally left when a renewal is due. A lease that
	 * the maximum hold time of its holder shortens counts as a whole one.
	 */
	private long leftWhenDueNanos(long nowNanos) {
		Hold holder = this.owned.holder();
		long wholeMillis = attempt().leaseMillis();
		boolean shortened = holder != null && !this.lease.isAdopted() && holder.millisToMaximum(nowNanos) < wholeMillis;
		return shortened ? TimeUnit.MILLISECONDS.toNanos(wholeMillis) / 3 * 2 : this.lease.leftWhenDueNanos();
	}

	/**
	 * Return whether half of what is left when a renewal is due has passed (1), or three
	 * quarters of it (2).
	 */
	private int risk(long nowNanos) {
		long left = leftWhenDueNanos(nowNanos);
		long remaining = this.lease.remainingNanos(nowNanos);
		if (remaining <= left / 4) {
			return 2;
		}
		return (remaining <= left / 2) ? 1 : 0;
	}

	/** Return when the risk grows; the deadline if it does not. */
	private long nextRiskNanos(long nowNanos) {
		int risk = risk(nowNanos);
		return this.lease.deadlineNanos() - ((risk < 2) ? leftWhenDueNanos(nowNanos) / (2 + 2 * risk) : 0);
	}

	private Effect warn(long nowNanos) {
		Hold holder = this.owned.holder();
		int risk = risk(nowNanos);
		if (holder == null || risk <= this.warnedRisk) {
			return Effect.NONE;
		}
		this.warnedRisk = risk;
		boolean first = !this.logged;
		this.logged = true;
		List<Hold> holders = this.owned.holders();
		Duration left = Duration.ofNanos(this.lease.remainingNanos(nowNanos));
		String reason = reasonOfRisk(holder, nowNanos) + "; " + this.lease.history(nowNanos);
		return () -> this.engine.notifier().atRisk(holders, reason, left, first);
	}

	private String reasonOfRisk(Hold holder, long nowNanos) {
		if (this.lastFailure != null) {
			return "its renewal failed: " + this.lastFailure;
		}
		if (!holder.isRenewed()) {
			return "its lease is not renewed";
		}
		return (holder.millisToMaximum(nowNanos) < attempt().leaseMillis()) ? "its maximum hold time is nearly over"
				: "its renewal is " + TimeUnit.NANOSECONDS.toMillis(this.lease.overdueNanos(nowNanos)) + " ms late";
	}

	// ---- requests and replies

	private Effect renew() {
		if (!this.owned.isRenewed()) {
			return Effect.NONE;
		}
		long now = this.clock.nanoTime();
		Hold holder = this.owned.holder();
		if (this.lease.isOver(now)) {
			String end = (holder == null || holder.isRenewed()) ? "before it could be renewed"
					: "and was not to be renewed";
			return lose("its lease of " + this.lease.length().toMillis() + " ms ran out " + end
					+ ((this.lastFailure != null) ? " (last failure: " + this.lastFailure + ")" : ""), true);
		}
		Effect warning = warn(now);
		List<Hold> holders = this.owned.holders();
		Effect request = send((holder == null) ? this.lease.renewing(true, Long.MAX_VALUE, now)
				: renewal(holder, holder.isRenewed(), now), now, Effect.NONE);
		scheduleAt(this.lease.deadlineNanos(), now);
		return request.then(warning).then(() -> this.engine.notifier().releaseUnreachable(holders));
	}

	private @Nullable LockAttempt renewal(Hold holder, boolean wanted, long nowNanos) {
		if (wanted) {
			this.lease.adopt(holder.renewalMillis(nowNanos));
		}
		return this.lease.renewing(wanted, holder.millisToMaximum(nowNanos), nowNanos);
	}

	/** Note why the store may no longer know the lease. */
	void expectLoss(String reason) {
		this.expectedLoss = reason;
	}

	/** Revalidate the lease of a holder at the store. */
	Effect revalidate(Hold holder) {
		long now = this.clock.nanoTime();
		return send(holder.isRenewed() ? renewal(holder, true, now) : this.lease.renewingRemainder(now), now,
				Effect.NONE);
	}

	/**
	 * Renew the lease of a holder now, even a fixed one.
	 * @param done completed once the store has replied or failed to reply
	 */
	Effect renew(Hold holder, CompletableFuture<Void> done) {
		long now = this.clock.nanoTime();
		Effect request = send(renewal(holder, true, now), now, () -> done.complete(null));
		scheduleAt(this.lease.deadlineNanos(), now);
		return request;
	}

	private Effect send(@Nullable LockAttempt renewal, long nowNanos, Effect after) {
		if (renewal == null) {
			return after;
		}
		boolean shortened = this.shortened;
		this.unanswered += shortened ? 1 : 0;
		return () -> LockStore.call(() -> this.engine.store().renew(renewal))
			.whenComplete((reply, failure) -> this.queue.transit(() -> {
				this.unanswered -= (shortened && reply != null) ? 1 : 0;
				return answered(renewal, nowNanos, reply, failure);
			}, after));
	}

	private Effect answered(LockAttempt renewal, long sentNanos, @Nullable RenewReply reply,
			@Nullable Throwable failure) {
		if (!this.owned.isRenewed()) {
			return Effect.NONE;
		}
		if (reply instanceof RenewReply.Renewed renewed) {
			return renewed(renewal, sentNanos, renewed);
		}
		if (reply instanceof RenewReply.NotOwner) {
			return lose(this.expectedLoss, false);
		}
		if (this.owned.isRetained()) {
			return this.owned.releaseRetained();
		}
		this.lastFailure = (failure != null) ? StageFailure.cause(failure) : null;
		long now = this.clock.nanoTime();
		long pause = Math.min(LONGEST_RETRY_NANOS, this.lease.remainingNanos(now) / 4);
		scheduleAt(now + Math.max(SHORTEST_RETRY_NANOS, pause), now);
		return Effect.NONE;
	}

	private Effect renewed(LockAttempt renewal, long sentNanos, RenewReply.Renewed reply) {
		this.lastFailure = null;
		this.expectedLoss = NOT_KNOWN;
		long now = this.clock.nanoTime();
		Hold holder = this.owned.holder();
		boolean fixed = holder != null && !holder.isRenewed();
		long tookNanos = Math.max(now - sentNanos, fixed ? 0 : this.lease.overdueNanos(now));
		long leftNanos = this.lease.remainingNanos(now);
		Duration length = this.lease.length();
		this.lease.renewed(renewal, sentNanos, reply);
		if (this.lease.isLatest(renewal, sentNanos)) {
			scheduleAt(afterThird(sentNanos, renewal), now);
		}
		this.warnedRisk = Math.min(this.warnedRisk, risk(now));
		Effect notify = () -> this.engine.notifier().renewed(holder, renewal, tookNanos, length, leftNanos);
		Effect after = this.queue.renewed(this.owned, reply.queued());
		return notify.then((this.shortened && this.owned.isHeld()) ? adopt(this.wantedMillis) : after);
	}

	private Effect lose(String reason, boolean mayBeOurs) {
		Hold holder = this.owned.holder();
		boolean tooLong = holder != null && holder.isTooLong(this.clock.nanoTime());
		return this.owned.lose(tooLong ? "it was held for longer than its maximum hold time" : reason, mayBeOurs);
	}

}
