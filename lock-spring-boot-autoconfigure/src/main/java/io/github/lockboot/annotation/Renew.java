package io.github.lockboot.annotation;

/**
 * Whether the lease of a lock is renewed while its method runs.
 *
 * @since 1.0.0
 */
public enum Renew {

	/**
	 * As the property {@code lock.locks.<name>.renew} says; without it the lease is
	 * renewed.
	 */
	DEFAULT,

	/**
	 * The lock is kept as long as the method runs.
	 */
	ON,

	/**
	 * The lock is lost when its lease ends, even if the method still runs.
	 */
	OFF

}
