package io.github.lockboot.cache.protocol;

import io.github.lockboot.Internal;

/**
 * The keys of one entry.
 *
 * @param data the entry itself
 * @param tombstone when the entry was last evicted or put; outlives the epoch, so that a
 * clear ends no grace
 * @since 1.0.0
 */
@Internal
public record EntryKeys(String data, String tombstone) {

	/** The right to load the entry, while somebody does. */
	String lease() {
		return this.data + ":l";
	}

	/** The JVMs that wait for the load, while there are any. */
	String waiters() {
		return this.data + ":w";
	}

	/** The version of what was put last, where it has one. */
	String version() {
		return this.data + ":v";
	}

	String[] allAndVersion() {
		return new String[] { this.data, lease(), waiters(), this.tombstone, version() };
	}

	/** All keys, in the order in which the scripts expect them. */
	String[] all() {
		return new String[] { this.data, lease(), waiters(), this.tombstone };
	}

}
