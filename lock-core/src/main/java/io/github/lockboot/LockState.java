package io.github.lockboot;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * State of a lock in the store, over all instances of an application, at one moment.
 *
 * @param name name of the lock
 * @param owner id of the lease, {@code shared} while several may hold the lock, or the
 * value that a foreign program has written; {@code null} if the lock is free
 * @param remaining how long the owner's lease runs if it is not renewed, or {@code null}
 * if the lock is free or the lease does not expire
 * @param fencingToken highest token that may have been issued, zero if the store has none
 * @param holders number of holders; an instance counts once, however many of its callers
 * share the lock
 * @param waiting number of instances in the store's queue, zero if the store has none
 * @param heldBy who holds the lock, at most ten of the holders; empty if the lock is
 * free, if the store does not name its holders, or if the template hides them
 * @since 1.0.0
 */
public record LockState(String name, @Nullable String owner, @Nullable Duration remaining, long fencingToken,
		long holders, long waiting, List<Holder> heldBy) {

	/**
	 * Create a state with a copy of the list.
	 */
	public LockState {
		heldBy = List.copyOf(heldBy);
	}

	/**
	 * Create a state in which nothing is known about the holder but the owner.
	 * @param name name of the lock
	 * @param owner id of the lease, {@code shared}, or {@code null}
	 * @param remaining how long the owner's lease runs, or {@code null}
	 * @param fencingToken highest token that may have been issued
	 * @param holders number of holders
	 * @param waiting number of instances in the store's queue
	 */
	public LockState(String name, @Nullable String owner, @Nullable Duration remaining, long fencingToken, long holders,
			long waiting) {
		this(name, owner, remaining, fencingToken, holders, waiting,
				(owner == null || owner.equals("shared")) ? List.of() : List.of(Holder.unknown(owner)));
	}

	/**
	 * Return whether the lock is held.
	 */
	public boolean isHeld() {
		return this.owner != null;
	}

	/**
	 * Return this state with other holders.
	 */
	@Internal
	public LockState heldBy(List<Holder> heldBy) {
		return new LockState(this.name, this.owner, this.remaining, this.fencingToken, this.holders, this.waiting,
				heldBy);
	}

	/**
	 * Who holds a lock. A component is {@code null} if it is unknown.
	 *
	 * @param owner id of the lease, or the value that a foreign program has written
	 * @param application name of the application
	 * @param host name of the machine or container
	 * @param process number of the process
	 * @param thread name of the thread that requested the lock
	 * @param reason why the lock was requested, as in the {@link LockRequest}; the class
	 * and name of an annotated method
	 * @param since since when the lock is held
	 * @param renewedAgo for how long the lease has not been renewed: for more than a half
	 * of the lease if the holder was killed or hangs
	 */
	public record Holder(String owner, @Nullable String application, @Nullable String host, @Nullable Long process,
			@Nullable String thread, @Nullable String reason, @Nullable Instant since,
			@Nullable Duration renewedAgo) implements Serializable {

		/**
		 * Create a holder whose last renewal is unknown.
		 * @param owner id of the lease
		 * @param application name of the application
		 * @param host name of the machine or container
		 * @param process number of the process
		 * @param thread name of the thread
		 * @param reason why the lock was requested
		 * @param since since when the lock is held
		 */
		public Holder(String owner, @Nullable String application, @Nullable String host, @Nullable Long process,
				@Nullable String thread, @Nullable String reason, @Nullable Instant since) {
			this(owner, application, host, process, thread, reason, since, null);
		}

		/**
		 * Return a holder of whom only the id is known.
		 */
		@Internal
		public static Holder unknown(String owner) {
			return new Holder(owner, null, null, null, null, null, null);
		}

		/** Return what is known, for messages. */
		@Override
		public String toString() {
			String known = Stream
				.of(this.host, this.application, (this.process != null) ? "process " + this.process : null, this.reason,
						(this.thread != null) ? "thread " + this.thread : null,
						(this.since != null) ? "since " + this.since.truncatedTo(ChronoUnit.SECONDS) : null,
						(this.renewedAgo != null) ? "last renewed " + this.renewedAgo.toMillis() + " ms ago" : null)
				.filter(Objects::nonNull)
				.collect(Collectors.joining(", "));
			return known.isEmpty() ? "unknown (" + this.owner + ")" : known;
		}

	}

}
