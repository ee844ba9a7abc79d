package io.github.lockboot.cache.protocol;

import io.github.lockboot.Internal;

/**
 * What Redis tells a JVM by itself. Called on a thread of Netty; must not block.
 *
 * @since 1.0.0
 */
@Internal
public interface CachePushes {

	/**
	 * Another's load has stored an entry.
	 * @param attempt the attempt that waited for it
	 * @param entry the entry
	 */
	void loaded(String attempt, byte[] entry);

	/**
	 * Another's load has ended.
	 * @param attempt the attempt that waited for it
	 * @param stored whether the entry can be read now; else somebody else has to load it
	 */
	void ended(String attempt, boolean stored);

	/**
	 * An entry was evicted or put.
	 * @param data its key
	 */
	void changed(String data);

	/**
	 * A cache was cleared, or has lost its epoch and got a new one.
	 * @param cache its name
	 * @param epoch its new epoch
	 */
	void cleared(String cache, long epoch);

	/**
	 * Messages may be missed from now on: local copies are of no use but where there is
	 * no Redis to ask.
	 */
	void missing();

	/**
	 * Messages may have been missed: attempts that wait have to ask again, and local
	 * copies are worth nothing.
	 */
	void missed();

	/**
	 * Clears may have been missed, or Redis may be back without its data: the epochs have
	 * to be asked for. Told when Redis has been connected to.
	 */
	void missedClears();

	/**
	 * Redis has failed several times in a row, and is not asked for a while.
	 */
	void paused();

	/**
	 * Redis has answered after it was paused.
	 */
	void resumed();

}
