package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions of the library. Unchecked; what a subtype knows is told by
 * accessors, so that nobody needs to parse a message.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public abstract class LockException extends RuntimeException {

	private final @Nullable String lockName;

	/**
	 * Create an exception.
	 * @param lockName name of the lock, or {@code null} where none could be found out
	 * @param message what happened, with figures and units
	 * @param cause why, if known
	 */
	protected LockException(@Nullable String lockName, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.lockName = lockName;
	}

	/**
	 * Return the name of the lock.
	 * @return the name, or {@code null} where none could be found out
	 */
	public final @Nullable String lockName() {
		return this.lockName;
	}

}
