package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * What a store answers to a release.
 *
 * @since 1.0.0
 */
@Internal
public enum ReleaseReply {

	/**
	 * The attempt owned the lock and has given it back, to nobody or to the next waiter.
	 */
	RELEASED,

	/**
	 * The attempt did not own the lock, and does not wait for it any more.
	 */
	NOT_OWNER

}
