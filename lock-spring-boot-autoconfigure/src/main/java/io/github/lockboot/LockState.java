package io.github.lockboot;

import java.time.Duration;

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
 * @since 1.0.0
 */
public record LockState(String name, @Nullable String owner, @Nullable Duration remaining, long fencingToken,
		long holders, long waiting) {

	/**
	 * {@return whether the lock is held}
	 */
	public boolean isHeld() {
		return this.owner != null;
	}

}
