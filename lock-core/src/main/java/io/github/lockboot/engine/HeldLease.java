package io.github.lockboot.engine;

import java.util.concurrent.CompletableFuture;

/**
 * A lease as its holders see it. This port keeps {@link Hold} and those that report holds
 * free of the engine's queues. Thread-safe.
 */
interface HeldLease {

	Lease lease();

	long nanoTime();

	/**
	 * Return whether the machine may have been suspended, so that the deadline of the
	 * lease is too late, and the store has not confirmed the lease since then.
	 */
	boolean isInDoubt();

	LockNotifier notifier();

	/** Run a callback of a user. */
	void callBack(Runnable callback);

	/**
	 * End a hold.
	 * @param done completed, never exceptionally, once the store has replied or failed to
	 * reply
	 * @return false if the hold had ended before
	 */
	boolean end(Hold hold, CompletableFuture<Void> done);

	/**
	 * Let others share the lock of a holder.
	 * @param done completed once the store has replied or failed to reply
	 */
	void downgrade(Hold hold, CompletableFuture<Void> done);

	/**
	 * Renew the lease of a holder once, even a fixed one.
	 * @param done completed once the store has replied or failed to reply
	 */
	void renew(Hold hold, CompletableFuture<Void> done);

	/** Lose the lease if it is over, even before its timer fires. */
	void loseIfOver(Hold hold);

	/** Note that a holder of the lock had this token of the store. */
	void seen(long storeToken);

}
