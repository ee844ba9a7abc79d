package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * What a store answers to an attempt.
 *
 * @since 1.0.0
 */
@Internal
public sealed interface AcquireReply {

	/**
	 * The attempt owns the lock.
	 *
	 * @param token fencing token, greater than all that were given out before
	 * @param reserved highest token that this owner may give out without asking again
	 * @param queued how many attempts of others wait in the store's queue, or
	 * {@link LockStore#UNKNOWN_QUEUE}
	 */
	record Owned(long token, long reserved, long queued) implements AcquireReply {

	}

	/**
	 * Somebody else owns the lock, and the attempt waits in the store's queue. The store
	 * will push a {@link LockPushes.Grant} when it is its turn.
	 *
	 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
	 * negative if it has no end
	 * @param storeMicros the store's time of this answer, in microseconds
	 * @param foreign whether the owner is none of ours and will not hand the lock over
	 */
	record Queued(long remainingMillis, long storeMicros, boolean foreign) implements AcquireReply {

	}

	/**
	 * Somebody else owns the lock, and the attempt does not wait in the store.
	 *
	 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
	 * negative if it has no end
	 */
	record Busy(long remainingMillis) implements AcquireReply {

	}

}
