package io.github.lockboot.annotation;

/**
 * How long a lock is held.
 *
 * @since 1.0.0
 */
public enum LockScope {

	/** For the call of the method, by a lease that is renewed. */
	CALL,

	/**
	 * Until the transaction in which the method runs is committed or rolled back: the
	 * lock is a row lock in the database of the transaction. Such a lock has no lease, so
	 * it cannot be lost. This scope is available only for locks in a database.
	 */
	TRANSACTION

}
