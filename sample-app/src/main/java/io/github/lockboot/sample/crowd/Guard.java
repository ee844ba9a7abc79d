package io.github.lockboot.sample.crowd;

import java.util.Locale;

/**
 * What keeps the callers of a run apart.
 */
public enum Guard {

	/**
	 * Nothing does: the run shows the damage.
	 */
	NONE,

	/**
	 * The distributed lock.
	 */
	LOCK;

	/**
	 * Return the name as it stands in requests and answers.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
