package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockLostException;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;

/**
 * What a {@link LockMachine} has decided: a call of the store, or a notification. The
 * commands of one lock are carried out in the order in which they were decided.
 */
sealed interface Command {

	/** Give the lock to a waiter. This is done at once, before other commands. */
	record Grant(Waiter waiter, Holder holder) implements Command {

	}

	/**
	 * Request the lock.
	 *
	 * @param first whether this is the first request of the attempt
	 * @param sentNanos when the request was decided, which is before it is sent
	 * @param blockNanos for how long the thread of the caller may block in the store
	 */
	record Acquire(Attempt attempt, LockAttempt request, boolean first, long seenToken, Queueing queueing,
			long sentNanos, long blockNanos) implements Command {

	}

	/**
	 * Confirm that several attempts wait in the queue of the store.
	 *
	 * @param sinceMicros the attempts as the store knows them, in the same order
	 * @param withFirst whether the first one requests the lock by itself
	 */
	record Confirm(String lock, List<Attempt> attempts, Map<LockAttempt, Long> sinceMicros, boolean withFirst,
			long sentNanos) implements Command {

	}

	/**
	 * Renew a lease.
	 *
	 * @param done completed once the store has replied or failed to reply
	 */
	record Renew(Attempt attempt, Lease.Term term, @Nullable CompletableFuture<Void> done) implements Command {

	}

	/**
	 * Release the lock.
	 *
	 * @param last the last holder, if the lock ever had one
	 * @param done completed once the store has replied or failed to reply
	 */
	record Release(Attempt attempt, LockAttempt owner, long usedToken, long keptMillis, @Nullable Holder last,
			CompletableFuture<Void> done) implements Command {

	}

	/** Let others share the lock. */
	record Downgrade(LockAttempt owner, long usedToken, CompletableFuture<Void> done) implements Command {

	}

	/**
	 * Release, in the background, an attempt that may own the lock or wait for it.
	 *
	 * @param answered whether the store has replied to all requests of the attempt
	 * @param keptUntilNanos until when the lock stays held, which may be now
	 */
	record Abandon(LockAttempt attempt, boolean answered, long keptUntilNanos) implements Command {

	}

	/** Expect no more pushes for an attempt. */
	record Forget(LockAttempt attempt) implements Command {

	}

	/** Note that a retained lock is idle now, or no longer. */
	record Idle(boolean idle) implements Command {

	}

	/** Complete a future that somebody may wait for. */
	record Done(CompletableFuture<Void> done) implements Command {

	}

	/** Notify a holder that its lease is lost. */
	record Lost(Holder holder, LockLostException loss, List<Runnable> callbacks) implements Command {

	}

	/** Report a renewal. */
	record Renewed(@Nullable Holder holder, LockAttempt renewal, long tookNanos, Duration lease,
			long leftNanos) implements Command {

	}

	/**
	 * Warn holders of a loss.
	 *
	 * @param first whether the lease was not at risk before
	 */
	record AtRisk(List<Holder> holders, String reason, Duration left, boolean first) implements Command {

	}

	/** Release the holds that nobody else can release. */
	record ReleaseUnreachable(List<Holder> holders) implements Command {

	}

}
