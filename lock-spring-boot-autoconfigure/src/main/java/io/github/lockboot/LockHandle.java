package io.github.lockboot;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A lock that is held, or several that were taken at once. Several are held while each of
 * them is, lost when the first of them is, and given back together. The handle belongs to
 * the hold and not to a thread: any thread may ask it and any thread may close it. Made
 * for try-with-resources, which skips the {@code null} of
 * {@link LockOperations#tryAcquire}. Thread-safe.
 *
 * @since 1.0.0
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * Return the name of the lock; of several locks all names in one text, for messages.
	 * @return the name asked for
	 */
	String name();

	/**
	 * Return the fencing token of this hold: greater than the token of every earlier
	 * holder of the lock; those who share it have one in common. Hand it to the resource
	 * that the lock guards and let the resource refuse a token lower than the highest it
	 * has seen. Read from memory; it grows if the hold begins to be shared.
	 * @return the token
	 * @throws UnsupportedOperationException if these are several locks: each has a token
	 * of its own
	 * @see #fencingToken(String)
	 */
	long fencingToken();

	/**
	 * Return the fencing token of one of several locks. Each lock counts for itself: the
	 * token of one says nothing to a resource that another one guards.
	 * @param name name of the lock
	 * @return the token
	 * @throws IllegalArgumentException if this hold has no such lock
	 * @see #fencingToken()
	 */
	default long fencingToken(String name) {
		Assert.isTrue(name.equals(name()), () -> "Lock '" + name + "' is not the one that is held, '" + name() + "'");
		return fencingToken();
	}

	/**
	 * Whether the lease is still valid: not given back, not lost and its deadline ahead.
	 * Answered from memory, on the safe side of the clock.
	 * @return true while the lock is held
	 */
	boolean isHeld();

	/**
	 * Return how long the lease is still valid if it is not renewed any more.
	 * @return the remaining time, zero if the lock is not held
	 */
	Duration remainingLease();

	/**
	 * Throw if the lock is not held any more: the check to place before a write.
	 * @throws LockLostException if the lease was lost
	 * @throws IllegalStateException if this handle was closed
	 */
	void ensureHeld();

	/**
	 * Return how the lock was lost. To be asked after {@link #close()} too, since that
	 * can be when it is found out.
	 * @return the loss, or {@code null} if the lock is held or was given back in time
	 */
	@Nullable LockLostException loss();

	/**
	 * Call back once if the lease is lost while held, or at once if it was lost already.
	 * The callback runs on one of four threads that the library has for these callbacks
	 * only. It may block: then further callbacks wait for a thread, but nothing else
	 * does.
	 * @param callback what to do
	 */
	void onLost(Runnable callback);

	/**
	 * Give the lock back, and wait until the store has answered. Does nothing if it was
	 * given back or lost before. Throws nothing: a release that fails is tried again in
	 * the background until the lease is over.
	 */
	@Override
	void close();

	/**
	 * Give the lock back without waiting for the store: for callers that must not block.
	 * @return completed when the store has answered or failed to, never exceptionally
	 */
	CompletionStage<Void> closeAsync();

}
