package io.github.lockboot.sample.stampede;

import java.util.Locale;

/**
 * How the database is protected against the callers of a run.
 */
enum CacheGuard {

	/**
	 * No protection: each caller runs the query.
	 */
	NONE,

	/**
	 * The cache.
	 */
	CACHE;

	/**
	 * Return the name for requests and answers.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
