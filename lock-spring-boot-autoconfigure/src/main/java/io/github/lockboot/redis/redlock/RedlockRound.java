package io.github.lockboot.redis.redlock;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;

/**
 * One attempt to acquire a lock at all members, with a separate owner id. A late release
 * that belongs to a round without a quorum must not release what the next round of the
 * same owner has acquired.
 */
final class RedlockRound {

	private final String id;

	/** Whether a called member may have this round as the owner, by member. */
	private final Map<RedlockMember, CompletionStage<Boolean>> mayOwn = new ConcurrentHashMap<>();

	private volatile boolean won;

	RedlockRound(String id) {
		this.id = id;
	}

	/** Returns an owner with its id at the members. */
	LockOwner ownerOf(LockOwner owner) {
		return new LockOwner(owner.lock(), this.id, owner.leaseMillis(), owner.permits());
	}

	void called(RedlockMember member, CompletionStage<LockStore.AcquireReply> reply) {
		this.mayOwn.merge(member, reply.handle((owned, failure) -> mayOwn(member, owned, failure)),
				(before, now) -> before.thenCombine(now, Boolean::logicalOr));
	}

	private static boolean mayOwn(RedlockMember member, LockStore.AcquireReply reply, Throwable failure) {
		return (failure != null) ? !member.store().isRefusal(StageFailure.cause(failure))
				: reply instanceof LockStore.AcquireReply.Owned;
	}

	boolean isWon() {
		return this.won;
	}

	void won() {
		this.won = true;
	}

	/**
	 * Releases the lock at a member in the background as soon as it has replied, unless
	 * it certainly does not have this round as the owner.
	 */
	void abandonAt(RedlockMember member, LockOwner owner, long usedToken) {
		this.mayOwn.getOrDefault(member, CompletableFuture.completedStage(false)).thenAccept((mayOwn) -> {
			if (mayOwn) {
				member.abandoned().release(owner, usedToken, false);
			}
		});
	}

}
