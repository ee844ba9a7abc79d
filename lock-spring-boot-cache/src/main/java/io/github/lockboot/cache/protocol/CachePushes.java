package io.github.lockboot.cache.protocol;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Receives what Redis pushes to a JVM, and the state of the connection. Called on a
 * thread of Netty, which must not be blocked.
 */
@Internal
public interface CachePushes {

	/**
	 * The load of another caller has ended.
	 * @param attempt the attempt that waits for the load
	 * @param entry the stored entry, or {@code null} to read or load it
	 */
	void ended(String attempt, byte @Nullable [] entry);

	/** The entry with a data key was evicted or put. */
	void changed(String data);

	/** A cache has got a new epoch: it was cleared, or Redis had lost its epoch. */
	void cleared(String cache, long epoch);

	/**
	 * Messages may be lost from now on: local copies may be used only while Redis can't
	 * be read.
	 */
	void missing();

	/**
	 * Messages may have been lost: waiting attempts have to repeat their requests, and
	 * local copies are invalid.
	 * @param clears whether clears may have been lost too, or Redis may have lost its
	 * data, as after each connect: the epochs have to be read again
	 */
	void missed(boolean clears);

	/** Redis has failed several times in a row, and commands to it pause. */
	void paused();

	/** Redis has replied after a pause. */
	void resumed();

}
