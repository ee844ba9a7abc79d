package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The names of the cache's keys and channels in Redis. The names of the cache and the
 * entry are the hash tag of all keys of an entry, which puts these into one slot of a
 * cluster and spreads the entries over all slots.
 *
 * @param prefix prefix of every key, without braces
 */
@Internal
public record CacheKeys(String prefix) {

	private static final int LONGEST_KEY = 200;

	private static final int READABLE = 100;

	private static final int MOST_BYTES_OF_A_CHAR = 3;

	/** Return the keys of an entry, whose key is {@linkplain #shorten shortened}. */
	public EntryKeys entry(String cache, long epoch, String key) {
		return new EntryKeys(this.prefix + cache + ":" + epoch + ":{" + cache + ":" + shorten(key) + "}",
				this.prefix.length() + cache.length() + 1);
	}

	/**
	 * Return the key of an entry, {@linkplain #shorten shortened}, from the name of its
	 * data key, or {@code null} if the entry belongs to another cache.
	 */
	public static @Nullable String find(String cache, String data) {
		String tag = "{" + cache + ":";
		int start = data.indexOf('{');
		return (data.startsWith(tag, start) && data.endsWith("}"))
				? data.substring(start + tag.length(), data.length() - 1) : null;
	}

	String epoch(String cache) {
		return this.prefix + cache + ":epoch";
	}

	String tags(String cache) {
		return this.prefix + cache + ":tags";
	}

	String inboxPrefix() {
		return this.prefix + "inbox:";
	}

	String clears() {
		return this.prefix + "clears";
	}

	String changes(String cache) {
		return this.prefix + cache + ":changes";
	}

	/**
	 * Return a key as the names in Redis contain it: a long key is cut, and completed by
	 * a digest.
	 */
	public static String shorten(String key) {
		if (key.length() <= LONGEST_KEY / MOST_BYTES_OF_A_CHAR) {
			return key;
		}
		byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
		if (bytes.length <= LONGEST_KEY) {
			return key;
		}
		int end = Math.min(READABLE, key.length());
		end = Character.isHighSurrogate(key.charAt(end - 1)) ? end - 1 : end;
		return key.substring(0, end) + "~" + sha256(bytes);
	}

	private static String sha256(byte[] bytes) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * The keys of one entry.
	 *
	 * @param data key of the entry itself
	 * @param epochStart position of the epoch in this key
	 */
	public record EntryKeys(String data, int epochStart) {

		/**
		 * Return the key of the time when the entry was last evicted or put. This key
		 * does not depend on the epoch, so that a clear ends no grace.
		 */
		String tombstone() {
			int epochEnd = this.data.indexOf(':', this.epochStart) + 1;
			return this.data.substring(0, this.epochStart) + this.data.substring(epochEnd) + ":t";
		}

		/** Return the key of the lease of a load, while there is one. */
		String lease() {
			return this.data + ":l";
		}

		/** Return the key of the attempts that wait for the load, while there are any. */
		String waiters() {
			return this.data + ":w";
		}

		String[] all() {
			return new String[] { this.data, lease(), waiters(), tombstone() };
		}

	}

}
