package io.github.lockboot.cache.protocol;

import io.github.lockboot.Internal;

/**
 * Reply to a request for an entry or for the right to load it.
 *
 * @since 1.0.0
 */
@Internal
public sealed interface AcquireReply {

	/** The entry exists. */
	@SuppressWarnings("ArrayRecordComponent")
	record Present(byte[] entry) implements AcquireReply {
	}

	/**
	 * The caller holds the lease and loads the entry.
	 *
	 * @param graceMillis longest life of the entry, 0 for no limit
	 */
	record Leased(long graceMillis) implements AcquireReply {
	}

	/**
	 * Another caller loads the entry.
	 *
	 * @param remainingMillis when its lease expires unless it is renewed
	 * @param pushed whether Redis notifies this JVM of the end of the load
	 */
	record Taken(long remainingMillis, boolean pushed) implements AcquireReply {
	}

	/** The caller may read data from before a change, so its load must not be stored. */
	record Outdated() implements AcquireReply {
	}

}
