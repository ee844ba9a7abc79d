package io.github.lockboot.engine;

/**
 * How a waiter's wait ended: with a {@link Hold}, or with one of these.
 */
sealed interface Outcome permits Hold, Outcome.Busy, Outcome.Failed, Outcome.Stopping {

	/**
	 * The lock belonged to somebody else.
	 *
	 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
	 * negative if that is not known
	 */
	record Busy(long remainingMillis) implements Outcome {

	}

	/**
	 * The store did not answer, or answered with an error.
	 *
	 * @param cause what the store's client threw
	 */
	record Failed(Throwable cause) implements Outcome {

	}

	/**
	 * No lock is given out any more.
	 *
	 * @param reason why not
	 */
	record Stopping(String reason) implements Outcome {

	}

}
