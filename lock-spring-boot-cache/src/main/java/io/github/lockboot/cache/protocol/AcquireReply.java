package io.github.lockboot.cache.protocol;

import io.github.lockboot.Internal;

/**
 * What came of asking for an entry or the right to load it.
 *
 * @since 1.0.0
 */
@Internal
public sealed interface AcquireReply {

	/**
	 * The entry is there.
	 *
	 * @param entry its bytes
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Present(byte[] entry) implements AcquireReply {
	}

	/**
	 * The caller is to load the entry.
	 *
	 * @param graceMillis how long the entry may live at most, 0 for no such limit
	 */
	record Leased(long graceMillis) implements AcquireReply {
	}

	/**
	 * Another loads the entry.
	 *
	 * @param remainingMillis when its lease ends if it dies
	 * @param pushed whether Redis pushes the end of the load to this JVM
	 */
	record Taken(long remainingMillis, boolean pushed) implements AcquireReply {
	}

	/** The caller sees data from before a change: its load may not be stored. */
	record Outdated() implements AcquireReply {
	}

}
