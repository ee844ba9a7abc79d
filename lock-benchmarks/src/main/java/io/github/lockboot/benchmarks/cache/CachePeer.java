package io.github.lockboot.benchmarks.cache;

import java.util.function.Supplier;

/**
 * A cache of one kind on one Redis, as one instance of an application has it.
 * Thread-safe.
 */
public interface CachePeer extends AutoCloseable {

	/**
	 * Read an entry, loading it if it is not there: what a call of an annotated method
	 * comes to.
	 * @param key which entry
	 * @param loader gets the value
	 * @return the value
	 */
	Product get(String key, Supplier<Product> loader);

	/**
	 * Let go of connections and threads.
	 */
	@Override
	void close();

}
