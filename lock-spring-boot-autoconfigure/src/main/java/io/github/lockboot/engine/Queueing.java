package io.github.lockboot.engine;

import io.github.lockboot.Internal;

/**
 * Whether an attempt that finds its lock busy waits for it in the store's own queue.
 *
 * @since 1.0.0
 */
@Internal
public enum Queueing {

	/**
	 * It does not wait.
	 */
	NO,

	/**
	 * It waits behind all others.
	 */
	TAIL,

	/**
	 * It has waited before: if the store has dropped it meanwhile, because its JVM could
	 * not be told of a grant, it gets a place in front again.
	 */
	HEAD

}
