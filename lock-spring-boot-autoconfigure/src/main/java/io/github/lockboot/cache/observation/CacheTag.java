package io.github.lockboot.cache.observation;

import io.micrometer.common.docs.KeyName;

/**
 * What the meters of caches are told apart by.
 */
enum CacheTag implements KeyName {

	/** Name of the cache. */
	CACHE("cache"),

	/** What came of it. */
	RESULT("result");

	private final String key;

	CacheTag(String key) {
		this.key = key;
	}

	@Override
	public String asString() {
		return this.key;
	}

}
