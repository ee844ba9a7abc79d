package io.github.lockboot.redis.transport;

/**
 * Channels with what the locks want to know of them.
 */
interface Subscriptions extends Channels {

	/**
	 * Whether a message would arrive, from wherever it comes.
	 * @return true while any subscription stands
	 */
	boolean isAnyOpen();

	/**
	 * Whether a message would arrive that is published where a key lies.
	 * @param key the key
	 * @return true while a subscription stands there
	 */
	boolean isOpenAt(String key);

	/**
	 * Subscribe again to all that was asked for, at the right server if this is not it.
	 */
	void probe();

}
