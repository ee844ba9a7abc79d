package io.github.lockboot;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the store knows of a lock, over all instances of an application, at one moment.
 *
 * @param name name of the lock
 * @param owner who owns it, or {@code null} if it is free: an instance and its attempt,
 * or what a foreign program has written
 * @param remaining how long the owner's lease runs if it is not renewed, or {@code null}
 * if the lock is free or the lease has no end
 * @param fencingToken highest token that may have been given out, zero if none is
 * remembered
 * @param waiting how many instances wait in the store's queue, zero where the store has
 * none
 * @since 1.0.0
 */
public record LockState(String name, @Nullable String owner, @Nullable Duration remaining, long fencingToken,
		long waiting) {

	/**
	 * Whether somebody owns the lock.
	 * @return true if so
	 */
	public boolean isHeld() {
		return this.owner != null;
	}

}
