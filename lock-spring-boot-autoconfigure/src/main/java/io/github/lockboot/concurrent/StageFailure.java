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

	/**
	 * Return what really failed.
	 * @param failure what a stage was completed with
	 * @return its cause where it is a wrapper of the stage's own
	 */
	public static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

}
