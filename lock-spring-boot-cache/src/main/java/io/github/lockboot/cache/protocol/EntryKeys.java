package io.github.lockboot.cache.protocol;

import io.github.lockboot.Internal;

/**
 * The keys of one entry.
 *
 * @param data key of the entry itself
 * @param tombstone key of the time when the entry was last evicted or put; it does not
 * depend on the epoch, so that a clear ends no grace
 * @since 1.0.0
 */
@Internal
public record EntryKeys(String data, String tombstone) {

	/** Key of the lease of a load, while there is one. */
	String lease() {
		return this.data + ":l";
	}

	/** Key of the attempts that wait for the load, while there are any. */
	String waiters() {
		return this.data + ":w";
	}

	/** Key of the version that was put last. */
	String version() {
		return this.data + ":v";
	}

	String[] allAndVersion() {
		return new String[] { this.data, lease(), waiters(), this.tombstone, version() };
	}

	/** All keys, in the order of the scripts. */
	String[] all() {
		return new String[] { this.data, lease(), waiters(), this.tombstone };
	}

}
