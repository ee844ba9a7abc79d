package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions of the library. Subtypes have accessors for their details, so
 * that callers need not parse messages.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public abstract class LockException extends RuntimeException {

	private final @Nullable String lockName;

	/**
	 * Create an exception.
	 * @param lockName name of the lock, or {@code null} if it is unknown
	 * @param message what happened, with figures and units
	 * @param cause the cause, or {@code null} if there is none
	 */
	protected LockException(@Nullable String lockName, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.lockName = lockName;
	}

	/**
	 * Return the name of the lock, or {@code null} if it is unknown.
	 */
	public final @Nullable String lockName() {
		return this.lockName;
	}

}
