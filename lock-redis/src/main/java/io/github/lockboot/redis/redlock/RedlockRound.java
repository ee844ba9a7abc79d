package io.github.lockboot.redis.redlock;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.support.AbandonedAttempts;

/**
 * One attempt to acquire a lock at all members, with a separate owner id. A late release
 * that belongs to a round without a quorum must not release what the next round of the
 * same owner has acquired.
 */
final class RedlockRound {

	/** A member that has not replied may have granted any token. */
	private static final long UNKNOWN = Long.MAX_VALUE;

	private final String id;

	/** The tokens that members have granted to this round, zero for none. */
	private final Map<Member, CompletionStage<Long>> granted = new ConcurrentHashMap<>();

	private volatile boolean won;

	RedlockRound(String id) {
		this.id = id;
	}

	/** Return an owner with its id of this round at the members. */
	LockAttempt ownerOf(LockAttempt owner) {
		return new LockAttempt(owner.lock(), this.id, owner.leaseMillis(), owner.permits());
	}

	void called(Member member, CompletionStage<LockStore.AcquireReply> reply) {
		this.granted.merge(member, reply.handle((owned, failure) -> granted(member, owned, failure)),
				(before, now) -> before.thenCombine(now, Math::max));
	}

	private static long granted(Member member, LockStore.AcquireReply reply, Throwable failure) {
		if (failure != null) {
			boolean refused = member.store().failureOf(StageFailure.cause(failure)) == LockStore.FailedCall.REFUSED;
			return refused ? 0 : UNKNOWN;
		}
		return (reply instanceof LockStore.AcquireReply.Owned owned) ? owned.token() : 0;
	}

	/**
	 * Return, as soon as a member has replied, the highest token to release there. A
	 * release sets the member's last token back to this token, so this token must not be
	 * below what the member has granted: a member that was too late for the vote may have
	 * granted later rounds meanwhile, whose tokens the member has to remember. Zero
	 * leaves the last token unchanged.
	 */
	CompletionStage<Long> usedTokenAt(Member member, long usedToken) {
		return grantedAt(member).thenApply((granted) -> highest(granted, usedToken));
	}

	private CompletionStage<Long> grantedAt(Member member) {
		return this.granted.getOrDefault(member, CompletableFuture.completedStage(0L));
	}

	private static long highest(long granted, long usedToken) {
		return (granted == UNKNOWN || usedToken == 0) ? 0 : Math.max(granted, usedToken);
	}

	boolean isWon() {
		return this.won;
	}

	void won() {
		this.won = true;
	}

	/**
	 * Release the lock at a member in the background as soon as it has replied, unless it
	 * certainly does not have this round as the owner.
	 * @param confirmed whether the round is over there, unless a request without a reply
	 * comes late
	 * @param keptUntilNanos until when the lock stays held, which may be now
	 */
	void abandonAt(Member member, LockAttempt owner, boolean confirmed, long keptUntilNanos) {
		grantedAt(member).thenAccept((granted) -> {
			if (granted > 0 && (granted == UNKNOWN || !confirmed)) {
				member.abandoned().release(owner, granted != UNKNOWN, keptUntilNanos);
			}
		});
	}

	/**
	 * One of the masters.
	 *
	 * @param abandoned releases leases at this master, until the server confirms the
	 * release or the leases expire
	 */
	record Member(LockStore store, AbandonedAttempts abandoned) {

		static Member of(LockStore store, MonotonicClock clock) {
			return new Member(store, new AbandonedAttempts(store, clock, () -> {
			}));
		}

	}

}
