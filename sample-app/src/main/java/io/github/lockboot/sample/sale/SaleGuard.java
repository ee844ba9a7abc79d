package io.github.lockboot.sample.sale;

import java.util.Locale;

/**
 * How the buyers of a sale exclude each other.
 */
enum SaleGuard {

	/**
	 * Not at all: the sale shows the damage.
	 */
	NONE,

	/**
	 * By the distributed lock. A waiting buyer needs no connection to the database.
	 */
	LOCK,

	/**
	 * By a lock of the database on the row ({@code SELECT ... FOR UPDATE}). Each waiting
	 * buyer keeps a connection.
	 */
	DATABASE,

	/**
	 * By a version column in the row: nobody waits, and who finds that the row has
	 * changed tries again.
	 */
	VERSION;

	/**
	 * Return the name for requests and answers.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
