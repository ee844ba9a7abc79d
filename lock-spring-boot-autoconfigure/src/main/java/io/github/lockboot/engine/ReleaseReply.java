package io.github.lockboot.engine;

import io.github.lockboot.Internal;

/**
 * What a store answers to a release.
 *
 * @since 1.0.0
 */
@Internal
public enum ReleaseReply {

	/**
	 * The attempt owned the lock and has given it back.
	 */
	RELEASED,

	/**
	 * The attempt did not own the lock; nothing was changed.
	 */
	NOT_OWNER

}
