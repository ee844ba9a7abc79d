package io.github.lockboot.cache.redis;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.Envelope;

/**
 * How a caller's wait for an entry ends.
 */
sealed interface Arrival {

	/** It gets an entry, and makes a value of its own of it. */
	record WithEntry(Envelope envelope, boolean loaded) implements Arrival {
	}

	/** It gets the value that another has loaded and not stored. */
	record WithValue(@Nullable Object value) implements Arrival {
	}

	/** It gets what the loader of another has thrown. */
	record WithFailure(Throwable failure) implements Arrival {
	}

	/** It is to load, and to report what came of it. */
	record ToLoad(Lead lead) implements Arrival {
	}

	/** It is to load for itself alone: its view of the data is too old to be shared. */
	record ToBypass() implements Arrival {
	}

	/** Redis fails, and nobody is to load. */
	record Unavailable(Throwable cause) implements Arrival {
	}

	/** It has waited long enough. */
	record TimedOut() implements Arrival {
	}

	/** Its thread was interrupted. */
	record Interrupted(InterruptedException cause) implements Arrival {
	}

}
