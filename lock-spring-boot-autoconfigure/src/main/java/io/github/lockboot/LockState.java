package io.github.lockboot;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the store knows of a lock, over all instances of an application, at one moment.
 *
 * @param name name of the lock
 * @param owner who owns it, or {@code null} if it is free: an instance and its attempt,
 * {@code shared} while several may hold it, or what a foreign program has written
 * @param remaining how long the owner's lease runs if it is not renewed, or {@code null}
 * if the lock is free or the lease has no end
 * @param fencingToken highest token that may have been given out, zero if none is
 * remembered
 * @param holders how many hold it; an instance counts once for all that share the lock in
 * it
 * @param waiting how many instances wait in the store's queue, zero where the store has
 * none
 * @since 1.0.0
 */
public record LockState(String name, @Nullable String owner, @Nullable Duration remaining, long fencingToken,
		long holders, long waiting) {

	/**
	 * Whether somebody owns the lock.
	 * @return true if so
	 */
	public boolean isHeld() {
		return this.owner != null;
	}

}
