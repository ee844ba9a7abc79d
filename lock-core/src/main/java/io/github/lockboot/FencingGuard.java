package io.github.lockboot;

/**
 * Protects a resource against holders that have lost their lock without detecting the
 * loss. A guard stores the highest fencing token of each lock together with the data that
 * the lock protects, in the same transaction, and rejects lower tokens. The idea of a
 * fencing token at the resource is from Martin Kleppmann, <em>How to do distributed
 * locking</em>, 2016. Implementations are thread-safe.
 *
 * @since 1.0.0
 */
public interface FencingGuard {

	/**
	 * Store the fencing token of a holder. Call this method first in the transaction that
	 * reads or writes the guarded data: until the transaction ends, other holders of the
	 * same lock wait in this method.
	 * @param lock name of the lock
	 * @param fencingToken token of the hold
	 * @throws StaleTokenException if a later holder has stored its token before; the
	 * transaction must be rolled back
	 * @throws IllegalStateException if there is no transaction
	 */
	void admit(String lock, long fencingToken);

	/**
	 * Store the fencing token of a hold, as {@link #admit(String, long)} does.
	 * @param lock the hold
	 * @throws StaleTokenException if a later holder has stored its token before
	 * @throws IllegalStateException if there is no transaction
	 */
	default void admit(LockHandle lock) {
		admit(lock.name(), lock.fencingToken());
	}

}
