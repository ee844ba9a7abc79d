package io.github.lockboot.engine;

/** How the wait of a {@link Waiter} ended: with a {@link Hold}, or with a refusal. */
sealed interface Outcome permits Hold, Outcome.Busy, Outcome.TooManyWaiting, Outcome.Failed, Outcome.Stopping {

	/**
	 * The lock has another owner.
	 *
	 * @param remainingMillis how long the owner's lease still runs, in milliseconds;
	 * negative if unknown
	 */
	record Busy(long remainingMillis) implements Outcome {

	}

	/** As many callers of this JVM as the limit allows wait for the lock already. */
	record TooManyWaiting(int maxWaiting) implements Outcome {

	}

	/** The store did not reply, or replied with an error. */
	record Failed(Throwable cause) implements Outcome {

	}

	/** No more locks are granted. */
	record Stopping(String reason) implements Outcome {

	}

}
