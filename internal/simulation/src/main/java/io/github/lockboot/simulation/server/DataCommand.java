package io.github.lockboot.simulation.server;

import org.jspecify.annotations.Nullable;

/**
 * A command on keys.
 *
 * @param least the least number of arguments
 * @param most the greatest number of arguments
 * @param keys how many of the first arguments are keys, or {@link #ALL}
 * @param kind whether it writes
 * @param action what it does
 */
record DataCommand(int least, int most, int keys, Kind kind, Action action) {

	static final int ALL = Integer.MAX_VALUE;

	boolean accepts(int arguments) {
		return arguments >= this.least && arguments <= this.most;
	}

	enum Kind {

		/** Changes nothing. */
		READ,

		/** Writes, even if Redis is out of memory. */
		WRITE,

		/** Writes, and is refused if Redis is out of memory. */
		GROW

	}

	interface Action {

		@Nullable Object run(KeySpace keys, String[] arguments);

	}

}
