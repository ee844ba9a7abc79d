package io.github.lockboot.engine.store;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.lockboot.Internal;
import io.github.lockboot.LockState;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The engine's port to a place that keeps leases. Calls return at once. A stage fails if
 * the store did not reply within its own time limit; then it is unknown whether the call
 * took effect. Every call can be repeated safely. Implementations are thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public interface LockStore extends AutoCloseable {

	/**
	 * An unknown number of waiters: they poll instead of queueing, or none was there and
	 * the store can't push to this JVM that another one queues.
	 */
	long UNKNOWN_QUEUE = -1;

	/** Others wait, and one of them polls: it takes its time to notice a handover. */
	long POLLED_QUEUE = Long.MAX_VALUE;

	/**
	 * Return the name of this JVM, unique among all that use the store: letters and
	 * digits only.
	 */
	String instance();

	/**
	 * Return what the store can do; known before it is connected, and always the same.
	 */
	StoreTraits traits();

	/**
	 * Check the name of a lock before it is first acquired.
	 * @throws IllegalArgumentException if the store can't keep a lock of this name
	 */
	default void requireName(String lock) {
	}

	/**
	 * Let the store push to the engine from now on. Called once, before any other call. A
	 * store that does not push ignores it, and replies {@link AcquireReply.Busy} to
	 * attempts that would queue.
	 */
	default void listen(LockPushes pushes) {
	}

	/**
	 * Acquire the lock if it is free, or shared by fewer than the permits of this
	 * attempt, or if this attempt owns it already. The waiters in the store's queue come
	 * first.
	 * @param seenToken highest fencing token of this lock that this JVM has seen, or zero
	 * @param queueing whether to wait in the store's queue for a busy lock
	 */
	CompletionStage<AcquireReply> acquire(LockOwner attempt, long seenToken, Queueing queueing);

	/**
	 * {@link #acquire Acquire} the lock by a thread that waits for the reply anyway: a
	 * store whose calls block a thread may use this one.
	 * @param blockNanos for how long at most; zero if the call has to return at once
	 */
	default CompletionStage<AcquireReply> acquire(LockOwner attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		return acquire(attempt, seenToken, queueing);
	}

	/**
	 * Confirm that attempts at one lock still wait in the queue. Those that the store has
	 * dropped return to their places. The engine goes on to call {@link #acquire} for the
	 * first attempt of this JVM, so that a lock whose owner has died is granted to the
	 * next one.
	 * @param lock full name of the lock
	 * @param sinceMicros the waiting attempts, and their arrival times by the store's
	 * clock, in microseconds
	 * @return for each attempt queued, or busy if the store can't push to this JVM now;
	 * attempts without a reply have to call {@link #acquire}, which is by default all
	 */
	default CompletionStage<Map<LockOwner, AcquireReply>> keepQueued(String lock, Map<LockOwner, Long> sinceMicros) {
		return CompletableFuture.completedStage(Map.of());
	}

	/** Restart the lease if this attempt owns the lock. */
	CompletionStage<RenewReply> renew(LockOwner attempt);

	/**
	 * Release the lock if this attempt owns it; the next attempt in the queue then owns
	 * it. Leave the queue if this attempt waits in it.
	 * @param usedToken highest fencing token that the owner has issued since it owns the
	 * lock; those that are reserved above it are free again. Zero if it is unknown, or if
	 * others may have owned the lock since: then none is
	 */
	CompletionStage<ReleaseReply> release(LockOwner attempt, long usedToken);

	/**
	 * Release the lock if this attempt owns it, but only at the end of its lease, which
	 * is restarted. Until then nobody owns the lock.
	 * @param attempt the owner, with the time for which the lock stays held
	 * @param usedToken highest fencing token that the owner has issued, or zero if it is
	 * unknown
	 */
	CompletionStage<ReleaseReply> releaseLater(LockOwner attempt, long usedToken);

	/**
	 * Release a lock, at once or later.
	 * @param keptMillis how long it stays held; not above 0 to release it at once
	 */
	default CompletionStage<ReleaseReply> release(LockOwner attempt, long usedToken, long keptMillis) {
		return (keptMillis > 0) ? releaseLater(attempt.withLeaseMillis(keptMillis), usedToken)
				: release(attempt, usedToken);
	}

	/**
	 * Share a lock that this attempt owns exclusively, with the waiters at the head of
	 * the queue that request to share it.
	 * @param usedToken highest fencing token that the owner has issued, or zero if it is
	 * unknown
	 */
	CompletionStage<RenewReply> downgrade(LockOwner attempt, long usedToken);

	/**
	 * Take the lock away from its owner. The next attempt in the queue then owns it, and
	 * a push notifies the former owner if possible.
	 * @return whether the lock had an owner
	 */
	CompletionStage<Boolean> forceRelease(String lock);

	/** Return the state of a lock in the store. */
	CompletionStage<LockState> inspect(String lock);

	/**
	 * Return whether the store may be reached. While it can't, no section starts on a
	 * lease that this JVM owns already.
	 */
	default boolean isReachable() {
		return true;
	}

	/**
	 * Return whether a failed call has certainly not taken effect, because the store
	 * itself replied with an error or the call was not sent.
	 */
	default boolean isRefusal(Throwable failure) {
		return false;
	}

	/**
	 * Return whether a call has failed because its connection was cut, so that it can be
	 * repeated at once by another one. It may have taken effect.
	 */
	default boolean isConnectionLost(Throwable failure) {
		return false;
	}

	/** Call a store. An exception of the call fails the returned stage. */
	static <T> CompletionStage<T> call(Supplier<CompletionStage<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	/** Return a new name for this JVM, unique among all that use a store. */
	static String newInstance() {
		return HexFormat.of().toHexDigits(new SecureRandom().nextLong());
	}

	/** Let a reply fail after a time limit. */
	static <T> CompletableFuture<T> limited(CompletableFuture<T> reply, MonotonicClock clock, long limitNanos,
			Supplier<Exception> failure) {
		MonotonicClock.Timer limit = clock.schedule(clock.nanoTime() + limitNanos,
				() -> reply.completeExceptionally(failure.get()));
		reply.whenComplete((result, ex) -> limit.cancel());
		return reply;
	}

	/** Close connections and threads. Leases stay until they expire. */
	@Override
	void close();

	/**
	 * Whether an attempt that finds its lock busy waits for it in the store's own queue,
	 * and where.
	 *
	 * @param wanted whether it waits
	 * @param sinceMicros since when it has waited by the store's time, in microseconds:
	 * if the store has dropped it meanwhile, because it could not push a grant to its
	 * JVM, the attempt returns to its place; if negative, how long ago it sent a request
	 * that got no reply
	 */
	record Queueing(boolean wanted, long sinceMicros) {

		/** Does not wait. */
		public static final Queueing NO = new Queueing(false, Long.MAX_VALUE);

		/** Waits behind all others. */
		public static final Queueing TAIL = new Queueing(true, Long.MAX_VALUE);

		/** Has waited since a time of the store. */
		public static Queueing since(long storeMicros) {
			return new Queueing(true, storeMicros);
		}

		/** May have waited since it sent a request, so many microseconds ago. */
		public static Queueing unansweredFor(long micros) {
			return new Queueing(true, -Math.max(1, micros));
		}

		/** Return the place once the store has first replied that the attempt waits. */
		public Queueing from(long storeMicros) {
			return since(storeMicros + Math.min(0, this.sinceMicros));
		}

		/** Return whether the attempt has waited before, or may have. */
		public boolean isAgain() {
			return this.sinceMicros != Long.MAX_VALUE;
		}

	}

	/** Reply to an attempt. */
	sealed interface AcquireReply {

		/**
		 * The attempt owns the lock.
		 *
		 * @param token fencing token, greater than all before
		 * @param reserved highest token that this owner may issue without a request
		 * @param queued above zero if other attempts wait in the store's queue, or
		 * {@link LockStore#UNKNOWN_QUEUE}
		 */
		record Owned(long token, long reserved, long queued) implements AcquireReply {

		}

		/**
		 * Another attempt owns the lock, and this one waits in the store's queue. The
		 * store pushes a {@link LockPushes.Grant} when it is its turn.
		 *
		 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
		 * negative if it has no end
		 * @param storeMicros the store's time of this reply, in microseconds
		 * @param foreign whether the attempt has to repeat its request often: the owner
		 * is none of ours and will not hand the lock over, or no grant may be pushed
		 */
		record Queued(long remainingMillis, long storeMicros, boolean foreign) implements AcquireReply {

		}

		/**
		 * Another attempt owns the lock, and this one does not wait in the store.
		 *
		 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
		 * negative if it has no end
		 * @param notified whether the store will push {@link LockPushes#released} when
		 * the lock may be free, so that the attempt need not poll
		 */
		record Busy(long remainingMillis, boolean notified) implements AcquireReply {

			public Busy(long remainingMillis) {
				this(remainingMillis, false);
			}

		}

	}

	/** Reply to a renewal. */
	sealed interface RenewReply {

		/**
		 * The lease was restarted.
		 *
		 * @param reserved highest fencing token that this owner may issue now
		 * @param queued above zero if other attempts wait in the store's queue, or
		 * {@link LockStore#UNKNOWN_QUEUE}
		 */
		record Renewed(long reserved, long queued) implements RenewReply {

		}

		/** The attempt no longer owns the lock. */
		record NotOwner() implements RenewReply {

		}

	}

	/** Reply to a release. */
	enum ReleaseReply {

		/** The attempt owned the lock, which is free now or owned by the next waiter. */
		RELEASED,

		/** The attempt owned the lock, which is free now, and no other JVM waits. */
		UNAWAITED,

		/** The attempt did not own the lock, and no longer waits for it. */
		NOT_OWNER

	}

}
