package io.github.lockboot.concurrent;

import java.util.concurrent.CompletionException;

import io.github.lockboot.Internal;

/**
 * The failure of a stage.
 *
 * @since 1.0.0
 */
@Internal
public final class StageFailure {

	private StageFailure() {
	}

	/** Return the cause of a failure that only wraps it for a stage. */
	public static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

}
