package io.github.lockboot.engine;

import java.util.concurrent.CompletionStage;

import io.github.lockboot.Internal;

/**
 * What the engine needs from a place that keeps leases. All calls return at once; a stage
 * fails if the store did not answer within the store's own time limit, and then it is not
 * known whether the call took effect. Every call is safe to repeat. Implementations are
 * thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public interface LockStore extends AutoCloseable {

	/**
	 * Take the lock if it is free, or if this attempt owns it already.
	 * @param attempt who asks
	 * @param seenToken highest fencing token of this lock that this JVM has seen, or zero
	 * @return owned or busy
	 */
	CompletionStage<AcquireReply> acquire(Attempt attempt, long seenToken);

	/**
	 * Begin the lease anew if this attempt owns the lock.
	 * @param attempt the owner
	 * @return renewed or not the owner
	 */
	CompletionStage<RenewReply> renew(Attempt attempt);

	/**
	 * Give the lock back if this attempt owns it.
	 * @param attempt the owner
	 * @param usedToken highest fencing token that the owner has given out, or zero if it
	 * does not know of any
	 * @return released or not the owner
	 */
	CompletionStage<ReleaseReply> release(Attempt attempt, long usedToken);

	/**
	 * Let go of connections and threads. Leases stay until they expire.
	 */
	@Override
	void close();

}
