package io.github.lockboot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What one instance of an application does with its locks, at one moment.
 *
 * @param held the holds, the oldest first
 * @param waiting the callers that wait, those who came first in front
 * @param lost the locks lost last, a hundred at most, the latest first
 * @param slowestRenewal of the renewals that succeeded in the last minute or two, the one
 * that came latest; {@code null} if there was none
 * @since 1.0.0
 */
public record LockActivity(List<Held> held, List<Waiting> waiting, List<Lost> lost, @Nullable Renewal slowestRenewal) {

	/**
	 * Keep copies of the lists.
	 */
	public LockActivity {
		held = List.copyOf(held);
		waiting = List.copyOf(waiting);
		lost = List.copyOf(lost);
	}

	/**
	 * Nothing is held, waited for, lost or renewed.
	 * @return an empty activity
	 */
	public static LockActivity none() {
		return new LockActivity(List.of(), List.of(), List.of(), null);
	}

	/**
	 * A hold.
	 *
	 * @param name name of the lock
	 * @param owner as whom the store knows this instance; the same for all holds that
	 * share a lock, and for holds to which a lease was passed within the instance
	 * @param fencingToken its token
	 * @param thread name of the thread that asked for the lock
	 * @param since when it was taken
	 * @param lease how long the lock outlives this instance, counted from a renewal
	 * @param remaining how long the lease runs if it is not renewed any more
	 * @param overdue how long ago the next renewal should have succeeded; zero if it is
	 * not due yet, or if none is wanted
	 * @param waiters how many callers of this instance wait for the same lock
	 */
	public record Held(String name, String owner, long fencingToken, String thread, Instant since, Duration lease,
			Duration remaining, Duration overdue, long waiters) {

	}

	/**
	 * A caller that waits for a lock.
	 *
	 * @param name name of the lock
	 * @param thread name of the thread that asked for the lock
	 * @param since when it began to wait
	 */
	public record Waiting(String name, String thread, Instant since) {

	}

	/**
	 * A lock that was lost while it was held.
	 *
	 * @param name name of the lock
	 * @param owner as whom the store knew this instance
	 * @param fencingToken its token
	 * @param thread name of the thread that had asked for the lock
	 * @param at when the loss was noticed
	 * @param held how long it had been held
	 * @param reason what is known of the loss, a sentence
	 */
	public record Lost(String name, String owner, long fencingToken, String thread, Instant at, Duration held,
			String reason) {

	}

	/**
	 * A renewal that succeeded.
	 *
	 * @param name name of the lock
	 * @param took time from the moment at which it was due to the store's answer; failed
	 * renewals before it are included
	 * @param lease how long the lease is
	 */
	public record Renewal(String name, Duration took, Duration lease) {

	}

}
