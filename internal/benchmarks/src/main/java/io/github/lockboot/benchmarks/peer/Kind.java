package io.github.lockboot.benchmarks.peer;

/**
 * A kind of locks or caches: one row of a table.
 */
public interface Kind {

	/**
	 * Return the name on the command line of a worker.
	 * @return name of the constant
	 */
	String name();

	/** Return the name in tables. */
	String label();

}
