package io.github.lockboot.engine;

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
	 */
	record Owned(long token, long reserved) implements AcquireReply {

	}

	/**
	 * Somebody else owns the lock.
	 *
	 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
	 * negative if it has no end
	 */
	record Busy(long remainingMillis) implements AcquireReply {

	}

}
