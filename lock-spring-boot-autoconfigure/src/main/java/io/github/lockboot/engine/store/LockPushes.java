package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * What a store pushes to the engine. Pushes make waiting quick, and correctness never
 * depends on them: the engine asks again after one that is lost, and one that comes twice
 * or late does no harm. May be called on any thread; returns at once.
 *
 * @since 1.0.0
 */
@Internal
public interface LockPushes {

	/**
	 * A queued attempt owns its lock now, for a short claim window within which it has to
	 * be renewed.
	 * @param grant what was granted
	 */
	void granted(Grant grant);

	/**
	 * Somebody waits behind an attempt of this JVM that owns its lock.
	 * @param attempt owner name of the attempt
	 */
	void queuedBehind(String attempt);

	/**
	 * A lock was taken away from an attempt of this JVM by force.
	 * @param attempt owner name of the attempt
	 */
	void taken(String attempt);

	/**
	 * Pushes may have been missed: ask again for all that waits.
	 */
	void missed();

	/**
	 * A lock that was handed over.
	 *
	 * @param attempt the attempt that owns the lock now; its lease is the claim window
	 * @param token fencing token
	 * @param reserved highest token that this owner may give out without asking again
	 * @param storeMicros the store's time of the grant, in microseconds
	 * @param queued how many attempts of others wait
	 */
	record Grant(LockOwner attempt, long token, long reserved, long storeMicros, long queued) {

	}

}
