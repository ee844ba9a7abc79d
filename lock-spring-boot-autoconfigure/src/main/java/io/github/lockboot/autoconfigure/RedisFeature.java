package io.github.lockboot.autoconfigure;

/**
 * What needs the Redis of an application, and what to do without one.
 */
enum RedisFeature {

	/** The locks. */
	LOCKS("Distributed locks need", ", or set lock.backend=local to lock within one JVM only"),

	/** The cache. */
	CACHE("The cache needs", ", or set lock.cache.enabled=false to run methods uncached");

	private final String need;

	private final String otherwise;

	RedisFeature(String need, String otherwise) {
		this.need = need;
		this.otherwise = otherwise;
	}

	/** Begin of a sentence. */
	String need() {
		return this.need;
	}

	/** End of a sentence that says what to do. */
	String otherwise() {
		return this.otherwise;
	}

}
