package io.github.lockboot.jdbc;

import org.jspecify.annotations.Nullable;

/** Thrown when a call has not reached the database. */
@SuppressWarnings("serial")
final class NotExecutedException extends RuntimeException {

	NotExecutedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
