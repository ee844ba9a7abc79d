package io.github.lockboot.benchmarks.peer;

/**
 * What is compared: one row of a table.
 */
public interface Kind {

	/**
	 * Return the name by which a worker is told which one it works with.
	 * @return name of the constant
	 */
	String name();

	/**
	 * Return the name in tables.
	 * @return a few words, as Markdown
	 */
	String label();

}
