package io.github.lockboot.redis.redlock;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

/**
 * One question for a lock to all members, under an owner name of its own. A release that
 * belongs to a round without a quorum may reach a member very late; it must not take away
 * what the next round of the same attempt has won there.
 */
final class RedlockRound {

	private final String owner;

	/** Of each member that was asked, whether it may know this round as the owner. */
	private final Map<RedlockMember, CompletionStage<Boolean>> owned = new ConcurrentHashMap<>();

	private volatile boolean won;

	RedlockRound(String owner) {
		this.owner = owner;
	}

	/**
	 * Return an attempt as the members know it.
	 */
	LockOwner named(LockOwner attempt) {
		return new LockOwner(attempt.lock(), this.owner, attempt.leaseMillis(), attempt.permits());
	}

	void asked(RedlockMember member, CompletionStage<AcquireReply> answer) {
		this.owned.merge(member, answer.handle((reply, failure) -> mayOwn(member, reply, failure)),
				(before, now) -> before.thenCombine(now, Boolean::logicalOr));
	}

	private static boolean mayOwn(RedlockMember member, AcquireReply reply, Throwable failure) {
		return (failure != null) ? !member.isRefusal(failure) : reply instanceof AcquireReply.Owned;
	}

	boolean isWon() {
		return this.won;
	}

	void won() {
		this.won = true;
	}

	/**
	 * Release the lock at a member in the background, as soon as it has answered, unless
	 * it certainly does not know this round as the owner.
	 */
	void abandonAt(RedlockMember member, LockOwner named, long usedToken) {
		this.owned.getOrDefault(member, CompletableFuture.completedStage(false)).thenAccept((mayOwn) -> {
			if (mayOwn) {
				member.abandon(named, usedToken);
			}
		});
	}

}
