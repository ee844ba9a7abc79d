package io.github.lockboot.benchmarks.cache;

import java.util.function.Supplier;

/**
 * A cache of one kind on one Redis, as one instance of an application uses it.
 * Thread-safe.
 */
public interface CachePeer extends AutoCloseable {

	/**
	 * Read an entry, and load it if it is missing, as a call of an annotated method does.
	 * @param loader returns the value
	 */
	Product get(String key, Supplier<Product> loader);

	/**
	 * Close connections and end threads.
	 */
	@Override
	void close();

}
