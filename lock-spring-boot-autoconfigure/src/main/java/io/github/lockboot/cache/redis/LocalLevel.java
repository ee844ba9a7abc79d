package io.github.lockboot.cache.redis;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.Epochs.Sight;

/**
 * Copies of entries in this JVM, as bytes, so that no caller can change another's value.
 */
interface LocalLevel {

	/**
	 * Find a copy. Does not ask for the name of the entry, which takes longer to make
	 * than the rest of a hit.
	 * @param sight what the caller knows of the epoch, and when that was
	 */
	@Nullable Envelope find(Sight sight, String key);

	/**
	 * Return what must be the same when an entry is kept that was read from now on.
	 */
	long stamp(String data);

	/**
	 * Keep a copy, unless its entry was changed meanwhile, in place of one of another
	 * epoch.
	 * @param sight what the caller knew of the epoch before the entry was read; the time
	 * of the copy counts from then
	 * @param data name of the entry
	 * @param stamp what {@link #stamp} has returned before the entry was read
	 * @param lifeMillis how long it may live
	 */
	void keep(Sight sight, String data, Envelope envelope, long stamp, long lifeMillis);

	void drop(String data);

	void dropAll();

}
