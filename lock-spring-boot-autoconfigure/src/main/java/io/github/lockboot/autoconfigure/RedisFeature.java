package io.github.lockboot.autoconfigure;

import io.github.lockboot.Internal;

/**
 * Names of the features that need Redis, for failure messages.
 */
@Internal
public enum RedisFeature {

	/** Locks, which go without Redis within one JVM only. */
	LOCKS("Distributed locks need", "set lock.backend=local to lock within one JVM only"),

	/** The cache, without which its methods run. */
	CACHE("The cache needs", "set lock.cache.enabled=false to run methods with @RedisCache uncached");

	private final String needs;

	private final String alternative;

	RedisFeature(String needs, String alternative) {
		this.needs = needs;
		this.alternative = alternative;
	}

	/** Returns the beginning of a sentence. */
	public String needs() {
		return this.needs;
	}

	/** Returns half a sentence with a property: what else can be done. */
	public String alternative() {
		return this.alternative;
	}

}
