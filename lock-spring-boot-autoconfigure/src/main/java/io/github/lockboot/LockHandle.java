package io.github.lockboot;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A hold of a lock, or of several locks that were acquired at once: these are held until
 * the first of them is lost, and released together. A handle does not belong to a thread:
 * any thread may use and close it. Works with try-with-resources, which skips the
 * {@code null} of {@link LockOperations#tryAcquire}. Thread-safe.
 *
 * @since 1.0.0
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * {@return the name of the lock; of several locks all names in one text, for
	 * messages}
	 */
	String name();

	/**
	 * Return the fencing token of this hold. It is greater than the token of every
	 * earlier holder of the lock; holders that share the lock have the same token. Pass
	 * it to the resource that the lock guards, and let the resource refuse tokens lower
	 * than the highest it has seen. The token is read from memory. It grows when the hold
	 * becomes shared.
	 * @return the token
	 * @throws UnsupportedOperationException if this is a hold of several locks, each of
	 * which has its own token
	 * @see #fencingToken(String)
	 */
	long fencingToken();

	/**
	 * Return the fencing token of one of several locks. Tokens of different locks are not
	 * comparable.
	 * @param name name of the lock
	 * @return the token
	 * @throws IllegalArgumentException if this is not a hold of that lock
	 * @see #fencingToken()
	 */
	default long fencingToken(String name) {
		Assert.isTrue(name.equals(name()), () -> "Lock '" + name + "' is not the one that is held, '" + name() + "'");
		return fencingToken();
	}

	/**
	 * Return whether the lock is held: not released, not lost, and its lease not expired.
	 * Answered from memory, with a margin for the clocks.
	 * @return whether the lock is held
	 */
	boolean isHeld();

	/**
	 * {@return how long the lease is still valid if it is not renewed; zero if the lock
	 * is not held}
	 */
	Duration remainingLease();

	/**
	 * Throw an exception if the lock is not held any more. Call this before a write.
	 * @throws LockLostException if the lease was lost
	 * @throws IllegalStateException if this handle was closed
	 */
	void ensureHeld();

	/**
	 * Return how the lock was lost. Also useful after {@link #close()}, which may be the
	 * first to notice a loss if it waits for the store.
	 * @return the loss, or {@code null} if the lock is held or was released in time
	 */
	@Nullable LockLostException loss();

	/**
	 * Register a callback for the loss of the lease. It is called once, and at once if
	 * the lease is lost already. Callbacks run on up to four threads of the library that
	 * do nothing else: one that blocks delays only other callbacks.
	 * @param callback what to do
	 */
	void onLost(Runnable callback);

	/**
	 * Release the lock and wait for the store's reply, unless {@link LockRelease#SENT} is
	 * set. Does nothing if the lock was released or lost before. Throws no exception: a
	 * release that fails is retried in the background until the lease expires.
	 */
	@Override
	void close();

	/**
	 * Release the lock without waiting for the store. Callers that must not block use it
	 * instead of {@link #close()}.
	 * @return completed, never exceptionally: when the release is sent, or, if it is
	 * {@link LockRelease#CONFIRMED}, when the store has replied or has failed to
	 */
	CompletionStage<Void> closeAsync();

}
