package io.github.lockboot.autoconfigure;

/**
 * What needs Redis, in the words of its failures.
 */
enum RedisFeature {

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

	/**
	 * Return the beginning of a sentence.
	 * @return who needs
	 */
	String needs() {
		return this.needs;
	}

	/**
	 * Return what else can be done.
	 * @return half a sentence with a property
	 */
	String alternative() {
		return this.alternative;
	}

}
