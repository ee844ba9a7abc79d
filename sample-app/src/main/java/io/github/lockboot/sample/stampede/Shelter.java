package io.github.lockboot.sample.stampede;

import java.util.Locale;

/**
 * What stands between the callers of a run and the database.
 */
enum Shelter {

	/**
	 * Nothing does: each caller queries.
	 */
	NONE,

	/**
	 * The cache.
	 */
	CACHE;

	/**
	 * Return the name as it stands in requests and answers.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
