package io.github.lockboot.engine.store;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.lockboot.Internal;
import io.github.lockboot.LockState;

/**
 * What the engine needs from a place that keeps leases. All calls return at once; a stage
 * fails if the store did not answer within the store's own time limit, and then it is not
 * known whether the call took effect. Every call is safe to repeat. Implementations are
 * thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public interface LockStore extends AutoCloseable {

	/**
	 * Stands for an unknown number of waiters: they poll instead of queueing, or the
	 * store can't push to this JVM that somebody queues.
	 */
	long UNKNOWN_QUEUE = -1;

	/**
	 * Name this JVM among all that use the store.
	 * @return letters and digits only
	 */
	String instance();

	/**
	 * Let the store push to the engine from now on. Called once, before any other call. A
	 * store that does not push ignores it, and answers {@link AcquireReply.Busy} to
	 * attempts that would queue.
	 * @param pushes what the store calls
	 */
	default void listen(LockPushes pushes) {
	}

	/**
	 * Take the lock if it is free, or shared by fewer than the permits of this attempt,
	 * or if this attempt owns it already. The waiters in the store's queue come first.
	 * @param attempt the attempt
	 * @param seenToken highest fencing token of this lock that this JVM has seen, or zero
	 * @param queueing whether to wait in the store's queue for a busy lock
	 * @return owned, queued or busy
	 */
	CompletionStage<AcquireReply> acquire(LockOwner attempt, long seenToken, Queueing queueing);

	/**
	 * Note that attempts at one lock still wait in the queue. Those that the store has
	 * dropped get their places back. The engine asks for the first attempt of this JVM by
	 * {@link #acquire} all the time, so that a lock whose owner has died gets to the next
	 * one.
	 * @param lock full name of the lock
	 * @param sinceMicros the attempts that wait, and since when by the store's time, in
	 * microseconds
	 * @return of each queued, or busy if the store can't push to this JVM just now; those
	 * of which it says nothing have to ask by {@link #acquire}, which is by default all
	 */
	default CompletionStage<Map<LockOwner, AcquireReply>> keepQueued(String lock, Map<LockOwner, Long> sinceMicros) {
		return CompletableFuture.completedStage(Map.of());
	}

	/**
	 * Begin the lease anew if this attempt owns the lock.
	 * @param attempt the owner
	 * @return renewed or not the owner
	 */
	CompletionStage<RenewReply> renew(LockOwner attempt);

	/**
	 * Give the lock back if this attempt owns it; the next attempt in the queue owns it
	 * then. Leave the queue if this attempt waits in it.
	 * @param attempt the owner or waiter
	 * @param usedToken highest fencing token that the owner has given out, or zero if it
	 * does not know of any
	 * @return released or not the owner
	 */
	CompletionStage<ReleaseReply> release(LockOwner attempt, long usedToken);

	/**
	 * Give the lock back if this attempt owns it, but only when its lease is over, which
	 * begins anew for that. Until then nobody owns the lock.
	 * @param attempt the owner, with the time for which the lock stays taken
	 * @param usedToken highest fencing token that the owner has given out
	 * @return released or not the owner
	 */
	CompletionStage<ReleaseReply> releaseLater(LockOwner attempt, long usedToken);

	/**
	 * Share a lock that this attempt owns exclusively, with those at the head of the
	 * queue that wait to share it.
	 * @param attempt the owner
	 * @param usedToken highest fencing token that the owner has given out
	 * @return renewed or not the owner
	 */
	CompletionStage<RenewReply> downgrade(LockOwner attempt, long usedToken);

	/**
	 * Take the lock away from its owner. The next attempt in the queue owns it then, and
	 * a push notifies the owner if possible.
	 * @param lock full name of the lock
	 * @return whether somebody owned it
	 */
	CompletionStage<Boolean> forceRelease(String lock);

	/**
	 * Return what the store knows of a lock.
	 * @param lock full name of the lock
	 * @return its state
	 */
	CompletionStage<LockState> inspect(String lock);

	/**
	 * Whether a failed call has certainly not taken effect, because the store itself has
	 * answered with an error, or because the call was not sent.
	 * @param failure what the stage of the call failed with
	 * @return true if so; false if that is not known
	 */
	default boolean isRefusal(Throwable failure) {
		return false;
	}

	/**
	 * Whether the store can share a lock among a limited number. One that can't shares a
	 * lock with any number, or not at all.
	 * @return true if so
	 */
	default boolean countsPermits() {
		return true;
	}

	/**
	 * Call a store such that every failure comes by the same way.
	 * @param call the call
	 * @param <T> type of the reply
	 * @return the stage of the store, or a failed one if the call itself threw
	 */
	static <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	/**
	 * Let go of connections and threads. Leases stay until they expire.
	 */
	@Override
	void close();

}
