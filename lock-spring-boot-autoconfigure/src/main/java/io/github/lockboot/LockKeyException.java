package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * A key or a condition of a lock could not be evaluated, or evaluated to nothing. Never
 * replaced by a key of its own: all callers would share one lock; nor by "no lock".
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockKeyException extends LockException {

	private final String expression;

	/**
	 * Create an exception.
	 * @param expression the key or the condition as it is written
	 * @param message what is wrong, where it is written, and the cure
	 * @param cause what the evaluation threw
	 */
	public LockKeyException(String expression, String message, @Nullable Throwable cause) {
		super(null, message, cause);
		this.expression = expression;
	}

	/**
	 * Return the key or the condition as it is written.
	 * @return the expression
	 */
	public String expression() {
		return this.expression;
	}

}
