package io.github.lockboot;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A hold of a lock, or of several locks that were acquired at once. Several locks are
 * held until the first of them is lost, and are released together. A handle does not
 * belong to a thread: any thread may use and close it. A handle works with
 * try-with-resources, which skips the {@code null} of {@link LockOperations#tryAcquire}.
 * Implementations are thread-safe.
 *
 * @since 1.0.0
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * Return the name of the lock, or the names of all locks in one text, for messages.
	 */
	String name();

	/**
	 * Return the fencing token of this hold. The token is greater than the token of every
	 * earlier holder of the lock, unless a fail-over of Redis has lost the last token and
	 * the clock of the new master is behind; holders that share the lock have the same
	 * token. Pass the token to the resource that the lock guards, and let the resource
	 * refuse every token that is lower than the highest one that it has seen. This method
	 * reads the token from memory. The token grows when the hold becomes shared.
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
		Assert.isTrue(name.equals(name()), () -> "This is a hold of lock '" + name() + "', not of lock '" + name + "'");
		return fencingToken();
	}

	/**
	 * Return whether the lock is held: the lock was neither released nor lost, and its
	 * lease has not expired. This method sends no command to the store, and includes a
	 * margin for clock drift.
	 * @return whether the lock is held
	 */
	boolean isHeld();

	/**
	 * Return how long the lease is still valid if it is not renewed; zero if the lock is
	 * not held.
	 */
	Duration remainingLease();

	/**
	 * Throw an exception if the lock is no longer held. Call this method before a write.
	 * @throws LockLostException if the lease was lost
	 * @throws IllegalStateException if this handle was closed
	 */
	void ensureHeld();

	/**
	 * Return how the lock was lost. This method is also useful after {@link #close()}: a
	 * release that waits for the store may be the first to detect a loss.
	 * @return the loss, or {@code null} if the lock is held or was released in time
	 */
	@Nullable LockLostException loss();

	/**
	 * Register a callback for the loss of the lease. The callback is called once, or
	 * immediately if the lease is already lost. Callbacks run on up to four threads of
	 * the library that do nothing else: a callback that blocks delays only other
	 * callbacks.
	 * @param callback what to do
	 */
	void onLost(Runnable callback);

	/**
	 * Release the lock and wait for the store's reply, unless {@link LockRelease#SENT} is
	 * set. This method does nothing if the lock was released or lost before. It throws no
	 * exception: a release that fails is retried in the background until the lease
	 * expires.
	 */
	@Override
	void close();

	/**
	 * Release the lock without waiting for the store. Callers that must not block use
	 * this method instead of {@link #close()}.
	 * @return a stage that is completed, never exceptionally, when the release is sent;
	 * with {@link LockRelease#CONFIRMED}, when the store has replied or has failed to
	 * reply
	 */
	CompletionStage<Void> closeAsync();

	/**
	 * Release the lock at once, without its minimum hold time, for work that has not
	 * begun: its caller gave up just after the lock was acquired, or its executor is
	 * full.
	 * @return a stage that is completed, never exceptionally, when the store has replied
	 * or has failed to reply
	 */
	default CompletionStage<Void> discardAsync() {
		return closeAsync();
	}

}
