package io.github.lockboot.cache.protocol;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Receives what Redis pushes to a JVM, and whether commands to Redis pause. The methods
 * are called on a thread of Netty, which must not be blocked.
 */
@Internal
public interface CachePushes {

	/**
	 * Called when the load of another caller has ended.
	 * @param attempt the attempt that waits for the load
	 * @param entry the stored entry, or {@code null} to read or load it
	 */
	void ended(String attempt, byte @Nullable [] entry);

	/** The entry with a data key was evicted or put. */
	void changed(String data);

	/**
	 * Called when a cache has a new epoch: the cache was cleared, or Redis had lost the
	 * epoch.
	 */
	void cleared(String cache, long epoch);

	/**
	 * Called when messages may be lost from now on: local copies may be used only while
	 * Redis cannot be read.
	 */
	void missing();

	/**
	 * Called when messages may have been lost: waiting attempts have to repeat their
	 * requests, and local copies are invalid.
	 * @param clears whether clears may have been lost too, or Redis may have lost its
	 * data, as after each connect: the epochs have to be read again
	 */
	void missed(boolean clears);

	/**
	 * Called when Redis has failed several times in a row, and commands to Redis pause.
	 */
	void paused();

	/** Called when Redis has replied after a pause. */
	void resumed();

}
