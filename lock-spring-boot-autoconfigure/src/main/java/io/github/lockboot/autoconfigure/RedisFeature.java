package io.github.lockboot.autoconfigure;

/**
 * Features that need Redis, as failure messages name them.
 */
enum RedisFeature {

	LOCKS("Distributed locks need", "set lock.backend=local to lock within one JVM only"),

	CACHE("The cache needs", "set lock.cache.enabled=false to run methods with @RedisCache uncached");

	private final String needs;

	private final String alternative;

	RedisFeature(String needs, String alternative) {
		this.needs = needs;
		this.alternative = alternative;
	}

	/** Returns the beginning of a sentence. */
	String needs() {
		return this.needs;
	}

	/** Returns what to do without Redis, as the end of a sentence. */
	String alternative() {
		return this.alternative;
	}

}
