package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

/**
 * The messages that a store pushes to the engine. Pushes make hand-overs fast, but
 * correctness never depends on pushes: the engine repeats its requests if a push is lost,
 * and a push that arrives twice or late does no harm. The methods may be called on any
 * thread and return at once.
 */
@Internal
public interface LockPushes {

	/**
	 * Called when a queued attempt owns its lock, for a short claim window in which the
	 * lease has to be renewed.
	 */
	void granted(Grant grant);

	/** Called when another JVM waits behind an attempt of this JVM that owns its lock. */
	void queuedBehind(String attempt);

	/**
	 * Called when a lock becomes free sooner than an attempt knows that waits for it, and
	 * those behind it. The attempt, or the next one if it has left, repeats its request.
	 */
	default void sooner(String attempt, String lock) {
	}

	/** Called when a lock of this JVM was released by force. */
	void taken(String attempt);

	/**
	 * Called when a lock of this JVM was lost with the session to which its lease
	 * belonged.
	 */
	default void expired(String attempt) {
	}

	/**
	 * Called when a lock may be free for which attempts of this JVM wait without a place
	 * in a queue of the store. These attempts request the lock again.
	 */
	void released(String lock);

	/**
	 * Called when pushes may have been missed. All waiting attempts repeat their
	 * requests.
	 */
	void missed();

	/**
	 * A lock that was handed over.
	 *
	 * @param attempt the attempt that owns the lock now; its lease is the claim window
	 * @param reserved highest token that this owner may issue without a request
	 * @param storeMicros time of the grant by the store's clock, in microseconds
	 * @param queued above zero if other attempts wait
	 */
	record Grant(LockAttempt attempt, long token, long reserved, long storeMicros, long queued) {

	}

}
