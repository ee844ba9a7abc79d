package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;

/**
 * Thrown when a value cannot be written or read as its declared type.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CodecException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param action {@code written} or {@code read}
	 */
	public CodecException(String action, Type type, Exception cause) {
		super("A value can't be " + action + " as " + type.getTypeName() + ": " + cause.getMessage(), cause);
	}

}
