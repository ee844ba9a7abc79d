package io.github.lockboot.annotation;

/**
 * Whether a lock may have several holders.
 *
 * @since 1.0.0
 */
public enum LockMode {

	/** One holder. */
	EXCLUSIVE,

	/** Any number of shared holders at the same time, but no exclusive holder. */
	SHARED

}
