package io.github.lockboot.annotation;

/**
 * Whether the lease of a lock is renewed while its method runs.
 *
 * @since 1.0.0
 */
public enum Renew {

	/**
	 * The property {@code lock.locks.<name>.renew} decides; by default, the lease is
	 * renewed.
	 */
	DEFAULT,

	/** The lease is renewed until the method has ended. */
	ON,

	/** The lock is lost when its lease expires, even if the method still runs. */
	OFF

}
