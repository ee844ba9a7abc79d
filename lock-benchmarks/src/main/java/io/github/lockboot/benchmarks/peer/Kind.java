package io.github.lockboot.benchmarks.peer;

/**
 * A kind of locks or caches: one row of a table.
 */
public interface Kind {

	/**
	 * Return the name that a worker gets on its command line.
	 * @return name of the constant
	 */
	String name();

	/**
	 * Return the name in tables.
	 * @return a few words, as Markdown
	 */
	String label();

}
