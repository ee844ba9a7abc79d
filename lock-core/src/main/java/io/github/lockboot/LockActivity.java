package io.github.lockboot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The locks that one instance of an application holds, waits for or has lost, at one
 * moment.
 *
 * @param held the holds, the oldest first
 * @param waiting the waiting callers, the first in the queue first
 * @param lost the most recently lost locks, at most a hundred, the latest first
 * @param slowestRenewal the latest renewal among those that succeeded in the last minute
 * or two; {@code null} if there was none
 * @since 1.0.0
 */
public record LockActivity(List<Held> held, List<Waiting> waiting, List<Lost> lost, @Nullable Renewal slowestRenewal) {

	/**
	 * Create an activity with copies of the lists.
	 */
	public LockActivity {
		held = List.copyOf(held);
		waiting = List.copyOf(waiting);
		lost = List.copyOf(lost);
	}

	/**
	 * Return an activity without holds, waiting callers, losses and renewals.
	 */
	public static LockActivity none() {
		return new LockActivity(List.of(), List.of(), List.of(), null);
	}

	/**
	 * A hold.
	 *
	 * @param name name of the lock
	 * @param owner id of the lease in the store; holds that share a lock, and holds to
	 * which a lease was passed within the instance, have the same id
	 * @param fencingToken fencing token of the hold
	 * @param thread name of the thread that requested the lock
	 * @param reason why the lock was requested; {@code null} if the request has no reason
	 * @param since when the lock was acquired
	 * @param lease how long the lock outlives this instance, counted from a renewal
	 * @param remaining how long the lease still runs if it is not renewed
	 * @param overdue how long ago the next renewal should have succeeded; zero if the
	 * renewal is not due yet, or if the lease is not renewed
	 * @param waiters number of callers in this instance that wait for the same lock
	 */
	public record Held(String name, String owner, long fencingToken, String thread, @Nullable String reason,
			Instant since, Duration lease, Duration remaining, Duration overdue, long waiters) {

	}

	/**
	 * A caller that waits for a lock.
	 *
	 * @param name name of the lock
	 * @param thread name of the thread that requested the lock
	 * @param since when the caller began to wait
	 */
	public record Waiting(String name, String thread, Instant since) {

	}

	/**
	 * A lock that was lost while it was held.
	 *
	 * @param name name of the lock
	 * @param owner id of the lease in the store
	 * @param fencingToken fencing token of the lost hold
	 * @param thread name of the thread that requested the lock
	 * @param at when the loss was detected
	 * @param held how long the lock had been held
	 * @param reason why the lock was lost, as far as known
	 */
	public record Lost(String name, String owner, long fencingToken, String thread, Instant at, Duration held,
			String reason) {

	}

	/**
	 * A renewal that succeeded.
	 *
	 * @param name name of the lock
	 * @param took time from the moment at which the renewal was due to the store's reply,
	 * including failed attempts
	 * @param lease length of the lease
	 */
	public record Renewal(String name, Duration took, Duration lease) {

	}

}
