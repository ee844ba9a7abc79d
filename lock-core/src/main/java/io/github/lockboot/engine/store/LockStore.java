package io.github.lockboot.engine.store;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The engine's port to a place that keeps leases. Calls return at once. A stage fails if
 * the store did not reply within its own time limit; it is then unknown whether the call
 * took effect. Every call can be repeated safely. Implementations are thread-safe.
 */
@Internal
public interface LockStore extends AutoCloseable {

	/**
	 * An unknown number of waiters: the waiters poll instead of queueing, or there was no
	 * waiter and the store cannot push to this JVM that another JVM queues.
	 */
	long UNKNOWN_QUEUE = -1;

	/**
	 * Some waiter polls, or did until recently, and so notices a handover late.
	 */
	long POLLED_QUEUE = Long.MAX_VALUE;

	/**
	 * Return the name of this JVM, unique among all that use the store: letters and
	 * digits only.
	 */
	String instance();

	/**
	 * Return what the store can do. The traits are known before the store is connected,
	 * and are always the same.
	 */
	StoreTraits traits();

	/**
	 * Check the name of a lock before it is first acquired.
	 * @throws IllegalArgumentException if the store cannot keep a lock of this name
	 */
	default void requireName(String lock) {
	}

	/**
	 * Let the store push to the engine from now on. This method is called once, before
	 * any other call. A store that does not push ignores the call, and replies
	 * {@link AcquireReply.Busy} to attempts that would queue.
	 */
	default void listen(LockPushes pushes) {
	}

	/**
	 * Acquire the lock if it is free, or shared by fewer holders than the permits of this
	 * attempt, or if this attempt already owns the lock. The waiters in the store's queue
	 * come first.
	 * @param seenToken highest fencing token of this lock that this JVM has seen, or zero
	 * @param queueing whether to wait in the store's queue for a busy lock
	 * @param blockNanos for how long a store whose calls {@link StoreTraits#blocking()
	 * block} may use the calling thread, which waits for the reply anyway; zero if the
	 * call has to return at once
	 */
	CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing, long blockNanos);

	/**
	 * Confirm that attempts at one lock still wait in the queue. Attempts that the store
	 * has dropped return to their places. The engine continues to call {@link #acquire}
	 * for the first attempt of this JVM, so that a lock whose owner has died is granted
	 * to the next attempt.
	 * @param lock full name of the lock
	 * @param sinceMicros the waiting attempts, and their arrival times by the store's
	 * clock, in microseconds
	 * @return for each attempt queued, or busy if the store cannot push to this JVM now;
	 * attempts without a reply have to call {@link #acquire}, which by default are all of
	 * them
	 */
	default CompletionStage<Map<LockAttempt, AcquireReply>> confirmQueued(String lock,
			Map<LockAttempt, Long> sinceMicros) {
		return CompletableFuture.completedStage(Map.of());
	}

	/**
	 * Restart the lease if this attempt owns the lock, and reserve more tokens. The lease
	 * may end sooner than before.
	 */
	CompletionStage<RenewReply> renew(LockAttempt attempt);

	/**
	 * Let the lease end later if this attempt owns the lock exclusively. A store may
	 * carry out such calls together, late and in any order, because a lease never ends
	 * sooner by them; this one renews it. No renewal may be without a reply. Tokens are
	 * remembered for minutes without a renewal.
	 * @param asks whether the reply has to tell if others wait; otherwise it may say that
	 * none does
	 */
	default CompletionStage<RenewReply> extend(LockAttempt attempt, boolean asks) {
		return renew(attempt);
	}

	/**
	 * Release the lock if this attempt owns it; the next attempt in the queue then owns
	 * it. Leave the queue if this attempt waits in it.
	 * @param usedToken highest fencing token that the owner has issued since it owns the
	 * lock; reserved tokens above it are free again. Zero if the highest token is
	 * unknown, or if others may have owned the lock since: no token is then free again
	 * @param keptMillis how long the lock stays held after this call, without an owner;
	 * zero or less to release it at once
	 */
	CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis);

	/**
	 * Share a lock that this attempt owns exclusively, with the waiters at the head of
	 * the queue that request to share it.
	 * @param usedToken highest fencing token that the owner has issued, or zero if the
	 * token is unknown
	 */
	CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken);

	/** Return the access to all locks of the store, for operators. */
	LockAdministration administration();

	/**
	 * Return whether the store may be reachable. While the store is unreachable, no
	 * section starts on a lease that this JVM already owns.
	 */
	default boolean isReachable() {
		return true;
	}

	/** Return what is known of a call that has failed. */
	default FailedCall failureOf(Throwable failure) {
		return FailedCall.UNKNOWN;
	}

	/**
	 * Note that a caller got no lock because this store failed, for the log of outages.
	 */
	default void callFailed(String lock) {
	}

	/** Call a store. An exception of the call fails the returned stage. */
	static <T> CompletionStage<T> call(Supplier<CompletionStage<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	/** Return a new name for this JVM, unique among all that use a store. */
	static String newInstance() {
		return HexFormat.of().toHexDigits(new SecureRandom().nextLong());
	}

	/** Close connections and threads. Leases stay until they expire. */
	@Override
	void close();

	/**
	 * One attempt of this JVM to own a lock in a store. Every call about an attempt can
	 * be repeated after a failure, because the store identifies the attempt by its id.
	 *
	 * @param lock full name of the lock
	 * @param id id of the attempt, unique for each attempt of each JVM
	 * @param leaseMillis how long the store keeps the lock unless it is renewed, in
	 * milliseconds
	 * @param permits how many may hold the lock together so that this attempt is one of
	 * them: 1 for an exclusive lock
	 * @param thread name of the thread whose caller waits first, for people who inspect a
	 * store
	 * @param reason why that caller requests the lock, or {@code null}
	 */
	record LockAttempt(String lock, String id, long leaseMillis, int permits, String thread, @Nullable String reason) {

		/** Create an attempt of a thread without a name, and without a reason. */
		public LockAttempt(String lock, String id, long leaseMillis, int permits) {
			this(lock, id, leaseMillis, permits, "", null);
		}

		/** Return the same attempt with another lease. */
		public LockAttempt withLeaseMillis(long leaseMillis) {
			return (leaseMillis == this.leaseMillis) ? this
					: new LockAttempt(this.lock, this.id, leaseMillis, this.permits, this.thread, this.reason);
		}

	}

	/**
	 * Whether an attempt that finds its lock busy waits for the lock in the store's own
	 * queue, and where.
	 *
	 * @param wanted whether the attempt waits
	 * @param sinceMicros since when the attempt has waited by the store's time, in
	 * microseconds: an attempt that the store has dropped meanwhile, because the store
	 * could not push a grant to the JVM, returns to its place; if negative, how long ago
	 * the attempt sent a request that got no reply
	 */
	record Queueing(boolean wanted, long sinceMicros) {

		/** The attempt does not wait. */
		public static final Queueing NO = new Queueing(false, Long.MAX_VALUE);

		/** The attempt waits behind all others. */
		public static final Queueing TAIL = new Queueing(true, Long.MAX_VALUE);

		/** Return the place of an attempt that has waited since a time of the store. */
		public static Queueing since(long storeMicros) {
			return new Queueing(true, storeMicros);
		}

		/**
		 * Return the place of an attempt that may have waited since it sent a request
		 * some microseconds ago.
		 */
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
		 * @param token fencing token, greater than all earlier tokens
		 * @param reserved highest token that this owner may issue without a request
		 * @param queued above zero if other attempts wait in the store's queue, or
		 * {@link LockStore#UNKNOWN_QUEUE}
		 */
		record Owned(long token, long reserved, long queued) implements AcquireReply {

		}

		/**
		 * Another attempt owns the lock, and this attempt waits in the store's queue. The
		 * store pushes a {@link LockPushes.Grant} when it is the turn of this attempt.
		 *
		 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
		 * negative if the lease has no end
		 * @param storeMicros the store's time of this reply, in microseconds
		 * @param foreign whether the attempt has to repeat its request often: the owner
		 * is a foreign client and will not hand the lock over, or no grant may be pushed
		 */
		record Queued(long remainingMillis, long storeMicros, boolean foreign) implements AcquireReply {

		}

		/**
		 * Another attempt owns the lock, and this attempt does not wait in the store.
		 *
		 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
		 * negative if the lease has no end
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

	/** What is known of a call that has failed. */
	enum FailedCall {

		/** The call may have taken effect, or may still do so. */
		UNKNOWN,

		/**
		 * The call has certainly not taken effect, because the store itself replied with
		 * an error or the call was not sent.
		 */
		REFUSED,

		/**
		 * The connection of the call was cut, so that the call can be repeated at once on
		 * another connection. The call may have taken effect.
		 */
		CUT

	}

}
