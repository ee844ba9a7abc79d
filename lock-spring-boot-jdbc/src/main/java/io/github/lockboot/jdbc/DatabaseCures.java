package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.fencing.SqlStates;

/**
 * What to change if the database refuses the library's statements, its user or its
 * connections.
 *
 * @param table the table of the locks
 */
record DatabaseCures(String table) {

	/** Return a failure whose message says what to change, if that is known. */
	Throwable explained(Throwable failure) {
		SQLException known = known(failure);
		String cure = cure(known);
		if (known == null || cure == null) {
			return failure;
		}
		return new SQLException(failure.getMessage() + ". " + cure, known.getSQLState(), known.getErrorCode(), failure);
	}

	/** Return what to change, as a sentence or two, {@code null} if that is unknown. */
	@Nullable String cure(@Nullable Throwable failure) {
		SQLException known = known(failure);
		if (known == null) {
			return null;
		}
		String tables = this.table + " and " + this.table + "_holder";
		return switch (SqlStates.mistake(known)) {
			case MISSING_TABLE -> "Create the tables " + tables;
			case MISSING_COLUMN -> "Give the tables " + tables + " the columns of the script in the jar";
			case MISSING_RIGHT -> "Grant SELECT, INSERT, UPDATE and DELETE on the tables " + tables + " to the user";
			case TOO_LONG -> "Its columns must be as long as in the script of the jar, 'name' of "
					+ LockTable.LONGEST_NAME + " characters, in MySQL and MariaDB VARBINARY(1020)";
			case SYNTAX -> "The locks need MySQL 8, MariaDB 10.6, PostgreSQL 9.5 or H2 2.2";
			case OTHER -> cure(SqlStates.obstacle(known));
		};
	}

	private static @Nullable String cure(SqlStates.Obstacle obstacle) {
		return switch (obstacle) {
			case READ_ONLY ->
				"This server, database or user accepts no changes: connect the locks to the primary server,"
						+ " or switch read_only or default_transaction_read_only off";
			case CREDENTIALS -> "Correct the user and the password of the data source of the locks";
			case TOO_MANY_CONNECTIONS ->
				"Each instance has three connections for its locks, and one more to be notified"
						+ " by PostgreSQL: raise the limit of the server, the database or the user, or shrink your pools";
			case DISK_FULL -> "The disk of the database is full, or its quota is reached: free some space";
			case NONE -> null;
		};
	}

	/** Return the first cause whose meaning is known. */
	private static @Nullable SQLException known(@Nullable Throwable failure) {
		return Stream.iterate(failure, (cause) -> cause != null, Throwable::getCause)
			.filter(SQLException.class::isInstance)
			.map(SQLException.class::cast)
			.filter((cause) -> SqlStates.mistake(cause) != SqlStates.Mistake.OTHER
					|| SqlStates.obstacle(cause) != SqlStates.Obstacle.NONE)
			.findFirst()
			.orElse(null);
	}

}
