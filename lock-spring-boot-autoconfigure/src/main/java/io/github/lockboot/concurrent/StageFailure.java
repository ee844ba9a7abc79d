package io.github.lockboot.concurrent;

import java.util.concurrent.CompletionException;

import io.github.lockboot.Internal;

/**
 * What a stage was completed with if it failed.
 *
 * @since 1.0.0
 */
@Internal
public final class StageFailure {

	private StageFailure() {
	}

	/** Returns the cause of a failure that is only the wrapper of a stage. */
	public static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

}
