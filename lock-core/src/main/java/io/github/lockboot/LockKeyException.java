package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the key, the condition or the permits of a lock cannot be evaluated, or
 * when the key is {@code null} or empty. The section did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockKeyException extends LockException {

	private final String expression;

	/**
	 * Create an exception.
	 * @param expression the key, the condition or the permits as written
	 * @param message what is wrong, in which method, and what to change
	 * @param cause what the evaluation threw, or {@code null} if it threw nothing
	 */
	public LockKeyException(String expression, String message, @Nullable Throwable cause) {
		super(null, message, cause);
		this.expression = expression;
	}

	/**
	 * Return the key, the condition or the permits as written.
	 */
	public String expression() {
		return this.expression;
	}

}
