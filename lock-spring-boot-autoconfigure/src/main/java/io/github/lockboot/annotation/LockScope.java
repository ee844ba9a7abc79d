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
	 * Until the transaction that the method runs in is committed or rolled back: the lock
	 * is the lock of a row in the database of the transaction. It has no lease, so it
	 * can't be lost. For locks in a database only.
	 */
	TRANSACTION

}
