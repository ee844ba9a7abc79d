package io.github.lockboot;

/**
 * Stands before a resource and turns away whoever has lost the lock without having
 * noticed: a holder whose fencing token is lower than one that was there before. It keeps
 * the highest token of each lock beside the data that the lock guards, in the same
 * transaction. The idea of a fencing token at the resource is from Martin Kleppmann,
 * <em>How to do distributed locking</em>, 2016. Thread-safe.
 *
 * @since 1.0.0
 */
public interface FencingGuard {

	/**
	 * Leave the token of a holder, before it reads or writes what the lock guards. Has to
	 * be called first in the transaction: until its end every other holder of the same
	 * lock waits here, and one that was overtaken is refused.
	 * @param lock name of the lock
	 * @param fencingToken token of the hold
	 * @throws StaleTokenException if a later holder was here before; the transaction has
	 * to be rolled back
	 * @throws IllegalStateException if there is no transaction
	 */
	void admit(String lock, long fencingToken);

	/**
	 * Leave the token of a hold, as {@link #admit(String, long)} does.
	 * @param lock the hold
	 * @throws StaleTokenException if a later holder was here before
	 * @throws IllegalStateException if there is no transaction
	 */
	default void admit(LockHandle lock) {
		admit(lock.name(), lock.fencingToken());
	}

}
