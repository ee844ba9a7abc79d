package io.github.lockboot.fencing;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.Set;

import org.springframework.core.NestedExceptionUtils;

import io.github.lockboot.Internal;

/**
 * The meaning of the SQL state of a failure.
 */
@Internal
public final class SqlStates {

	/** A transaction could not be serialized with others. */
	public static final String SERIALIZATION_FAILURE = "40001";

	/** Deadlock and serialization failure: nothing was changed. */
	private static final Set<String> RETRIED = Set.of(SERIALIZATION_FAILURE, "40P01");

	/** A row that has changed since the snapshot, in MariaDB. */
	private static final int CHANGED_IN_MARIADB = 1020;

	/** A transaction has locked the row, and did not end in time. */
	public static final String ROW_LOCKED = "55P03";

	/** The last one is of a row that another transaction has inserted in H2. */
	private static final Set<String> ROW_LOCKED_STATES = Set.of(ROW_LOCKED, "HYT00", "90131");

	private static final int ROW_LOCKED_IN_MYSQL = 1205;

	private static final String READ_ONLY = "25006";

	/**
	 * Read-only by an option of the server, by a transaction, or by the mode of the
	 * server.
	 */
	private static final Set<Integer> READ_ONLY_IN_MYSQL = Set.of(1290, 1792, 1836);

	private static final int READ_ONLY_IN_H2 = 90097;

	/** A missing right in PostgreSQL and H2. */
	private static final Set<String> MISSING_RIGHT = Set.of("42501", "90096");

	/** A missing right to a database, a table or a column. */
	private static final Set<Integer> MISSING_RIGHT_IN_MYSQL = Set.of(1044, 1142, 1143);

	/** A limit of the server or of the user. */
	private static final Set<Integer> TOO_MANY_CONNECTIONS_IN_MYSQL = Set.of(1040, 1203, 1226);

	private static final Set<Integer> DISK_FULL_IN_MYSQL = Set.of(1021, 1114);

	/** PostgreSQL and MySQL have closed a connection because it was idle. */
	private static final String IDLE = "57P05";

	private static final int IDLE_IN_MYSQL = 4031;

	/**
	 * A connection that was ended by an administrator, by the end or the crash of
	 * PostgreSQL, or by H2.
	 */
	private static final Set<String> LOST = Set.of("57P01", "57P02", "57P03", IDLE, "90067", "90098", "90121");

	/**
	 * A connection that was ended by the end of the server, an administrator, the server
	 * or the network.
	 */
	private static final Set<Integer> LOST_IN_MYSQL = Set.of(1053, 1927, 2006, 2013, IDLE_IN_MYSQL);

	private static final String CONSTRAINT = "23";

	/** Classes of errors by which a statement was refused without effect. */
	private static final Set<String> REFUSALS = Set.of("0A", "22", "23", "25", "28", "3D", "3F", "40", "42", "53",
			"55");

	private SqlStates() {
	}

	/**
	 * Return whether another transaction may succeed. After a duplicate, the next
	 * transaction finds the row that another connection has inserted.
	 */
	public static boolean isRetried(SQLException failure) {
		String state = String.valueOf(failure.getSQLState());
		return RETRIED.contains(state) || state.startsWith(CONSTRAINT);
	}

	/**
	 * Return whether a transaction can't go on beside another one, and may be repeated.
	 */
	public static boolean isConflict(SQLException failure) {
		return isRetried(failure) || failure.getErrorCode() == CHANGED_IN_MARIADB;
	}

	/** Return whether nothing was changed because a transaction has locked the row. */
	public static boolean isRowLocked(SQLException failure) {
		return ROW_LOCKED_STATES.contains(String.valueOf(failure.getSQLState()))
				|| failure.getErrorCode() == ROW_LOCKED_IN_MYSQL;
	}

	/**
	 * Return whether the database accepts no changes over this connection, for example
	 * after servers have switched their roles. Nothing was changed.
	 */
	public static boolean isReadOnly(SQLException failure) {
		return READ_ONLY.equals(failure.getSQLState()) || READ_ONLY_IN_MYSQL.contains(failure.getErrorCode())
				|| failure.getErrorCode() == READ_ONLY_IN_H2;
	}

	/**
	 * Return whether the database executes nothing over this connection and has executed
	 * nothing. A new connection may help.
	 */
	public static boolean isOfConnection(SQLException failure) {
		return isReadOnly(failure) || IDLE.equals(failure.getSQLState()) || failure.getErrorCode() == IDLE_IN_MYSQL;
	}

	/**
	 * Return whether the connection was cut. A timeout does not count, because a new
	 * connection does not help then.
	 */
	public static boolean isConnectionLost(SQLException failure) {
		String state = String.valueOf(failure.getSQLState());
		boolean lost = state.startsWith("08") || LOST.contains(state) || LOST_IN_MYSQL.contains(failure.getErrorCode());
		return lost && !(NestedExceptionUtils.getMostSpecificCause(failure) instanceof SocketTimeoutException);
	}

	/** Return what is wrong with the tables. */
	public static Mistake mistake(SQLException failure) {
		String state = String.valueOf(failure.getSQLState());
		if (MISSING_RIGHT.contains(state) || MISSING_RIGHT_IN_MYSQL.contains(failure.getErrorCode())) {
			return Mistake.MISSING_RIGHT;
		}
		return switch (state) {
			case "42S02", "42S03", "42S04", "42P01" -> Mistake.MISSING_TABLE;
			case "42S22", "42703" -> Mistake.MISSING_COLUMN;
			case "22001" -> Mistake.TOO_LONG;
			case "42000", "42001", "42601" -> Mistake.SYNTAX;
			default -> Mistake.OTHER;
		};
	}

	/** Return why a database refuses everything that its tables do not explain. */
	public static Obstacle obstacle(SQLException failure) {
		if (isReadOnly(failure)) {
			return Obstacle.READ_ONLY;
		}
		if (TOO_MANY_CONNECTIONS_IN_MYSQL.contains(failure.getErrorCode())) {
			return Obstacle.TOO_MANY_CONNECTIONS;
		}
		return switch (String.valueOf(failure.getSQLState())) {
			case "28000", "28P01" -> Obstacle.CREDENTIALS;
			case "53300" -> Obstacle.TOO_MANY_CONNECTIONS;
			case "53100" -> Obstacle.DISK_FULL;
			default -> DISK_FULL_IN_MYSQL.contains(failure.getErrorCode()) ? Obstacle.DISK_FULL : Obstacle.NONE;
		};
	}

	/** Return whether the database has certainly changed nothing. */
	public static boolean isRefusal(SQLException failure) {
		String state = failure.getSQLState();
		return state != null && state.length() == 5 && (REFUSALS.contains(state.substring(0, 2)) || isRetried(failure)
				|| isRowLocked(failure) || isReadOnly(failure));
	}

	/** What is wrong with the tables. */
	public enum Mistake {

		MISSING_TABLE, MISSING_COLUMN, MISSING_RIGHT, TOO_LONG, SYNTAX, OTHER

	}

	/** Why a database refuses everything. */
	public enum Obstacle {

		READ_ONLY, CREDENTIALS, TOO_MANY_CONNECTIONS, DISK_FULL, NONE

	}

}
