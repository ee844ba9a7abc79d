package io.github.lockboot.redis.transport;

import io.github.lockboot.Internal;

/**
 * The channel by which Redis pushes to this JVM. It is open while its subscription
 * stands; it subscribes again by itself when its connection was lost. Where Redis refuses
 * the subscription, {@link #probe} asks again.
 *
 * @since 1.0.0
 */
@Internal
public interface Inbox extends AutoCloseable {

	/**
	 * Whether a message would arrive, from wherever it comes.
	 * @return true while the subscription stands
	 */
	boolean isOpen();

	/**
	 * Whether a message would arrive that is published where a key lies.
	 * @param key the key
	 * @return true while the subscription stands there
	 */
	boolean isOpen(String key);

	/**
	 * Subscribe again. That opens an inbox which Redis has refused before and would not
	 * refuse now, and finds a dead connection, and one to a server that is not the master
	 * any more: it is closed and made anew. It changes nothing else.
	 */
	void probe();

	@Override
	void close();

}
