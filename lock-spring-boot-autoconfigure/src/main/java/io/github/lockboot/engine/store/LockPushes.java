package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * The messages that a store pushes to the engine. Pushes make hand-overs fast, but
 * correctness never depends on them: the engine repeats its requests if one is lost, and
 * a push that arrives twice or late does no harm. May be called on any thread; returns at
 * once.
 *
 * @since 1.0.0
 */
@Internal
public interface LockPushes {

	/**
	 * A queued attempt owns its lock now, for a short claim window in which it has to be
	 * renewed.
	 */
	void granted(Grant grant);

	/** Another JVM waits behind an attempt of this JVM that owns its lock. */
	void queuedBehind(String attempt);

	/** A lock of this JVM was released by force. */
	void taken(String attempt);

	/** A lock of this JVM was lost with the session to which its lease belonged. */
	default void expired(String attempt) {
	}

	/**
	 * A lock for which attempts of this JVM wait without a place in a queue of the store
	 * may be free. They request it again.
	 */
	void released(String lock);

	/** Pushes may have been missed: repeat the requests of all attempts that wait. */
	void missed();

	/**
	 * A lock that was handed over.
	 *
	 * @param attempt the attempt that owns the lock now; its lease is the claim window
	 * @param reserved highest token that this owner may issue without a request
	 * @param storeMicros time of the grant by the store's clock, in microseconds
	 * @param queued above zero if other attempts wait
	 */
	record Grant(LockOwner attempt, long token, long reserved, long storeMicros, long queued) {

	}

}
