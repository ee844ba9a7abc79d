package io.github.lockboot.annotation;

/**
 * Whether a locked method has its lock alone.
 *
 * @since 1.0.0
 */
public enum LockMode {

	/** Nobody else has the lock at the same time. */
	EXCLUSIVE,

	/**
	 * Any number of others who share the lock may have it at the same time, and nobody
	 * who wants it exclusively.
	 */
	SHARED

}
