package io.github.lockboot.sample.crowd;

import java.util.Locale;

/**
 * How the callers of a run exclude each other.
 */
public enum Guard {

	/**
	 * Not at all: the run shows the damage.
	 */
	NONE,

	/**
	 * By the distributed lock.
	 */
	LOCK;

	/**
	 * Return the name for requests and answers.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
