package io.github.lockboot.jdbc;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * What differs between the supported databases: parts of the SQL, and the properties of
 * connections.
 */
@Internal
public enum DatabaseDialect {

	/** PostgreSQL. The double of {@code date_part} is exact enough, and cheap. */
	POSTGRESQL("CAST(date_part('epoch', clock_timestamp()) * 1000000 AS BIGINT)",
			"WHEN pg_is_in_recovery() THEN 'this server is a replica (pg_is_in_recovery)'"
					+ " WHEN current_setting('default_transaction_read_only') = 'on'"
					+ " THEN 'default_transaction_read_only is on, for the server, the database or the user'",
			null) {

		@Override
		String currentUser(Connection connection) throws SQLException {
			return String.valueOf(text(connection, "SELECT quote_ident(current_user)", 1));
		}

		@Override
		String returningToken(String statement) {
			return statement + " RETURNING token";
		}

		@Override
		String ignoringDuplicates(String insert) {
			return insert + " ON CONFLICT DO NOTHING";
		}

		@Override
		@Nullable Charset encoding(Connection connection) throws SQLException {
			String name = String.valueOf(text(connection, "SHOW server_encoding", 1)).replace("WIN", "windows-");
			return Charset.isSupported(name) ? Charset.forName(name) : null;
		}

		/**
		 * Return the schema of a table, which need not be the first schema of the search
		 * path.
		 */
		@Override
		@Nullable String schema(Connection connection, String table) throws SQLException {
			try (PreparedStatement statement = connection.prepareStatement("SELECT nspname FROM pg_namespace"
					+ " WHERE oid = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass(?))")) {
				statement.setString(1, table);
				try (ResultSet rows = statement.executeQuery()) {
					return rows.next() ? rows.getString(1) : null;
				}
			}
		}

		@Override
		String grants(String table, String user) {
			int dot = table.lastIndexOf('.');
			String usage = (dot < 0) ? "" : "GRANT USAGE ON SCHEMA " + table.substring(0, dot) + " TO " + user + "; ";
			return usage + super.grants(table, user);
		}

		@Override
		boolean hasNotifications() {
			return true;
		}

		/** Return true, as for PgBouncer in transaction mode. */
		@Override
		boolean sharesSessions() {
			return true;
		}

		@Override
		String briefly() {
			return " AND set_config('lock_timeout', '1s', true) <> ''";
		}

		/**
		 * Return a condition without a wait for the disk. A server that crashes may
		 * forget the release, unless a later transaction was written to the disk, since
		 * all writes have one order. The lock then stays held until its lease is over, as
		 * after the crash of its holder.
		 */
		@Override
		String withoutFlush() {
			return " AND set_config('synchronous_commit', 'off', true) = 'off'";
		}

	},

	/**
	 * MySQL and MariaDB. The time is that of the beginning of a statement: a statement
	 * that waits for a row assumes that leases last longer than they do, which is safe.
	 */
	MYSQL("TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))",
			"WHEN @@global.read_only NOT IN ('0', 'OFF') THEN 'read_only is on, as on a replica'",
			"innodb_lock_wait_timeout") {

		/**
		 * Return the expression that lets the connection remember a value that a
		 * statement has written.
		 */
		@Override
		String remembered(String token) {
			return "LAST_INSERT_ID(" + token + ")";
		}

		@Override
		PreparedStatement prepareReturningToken(Connection connection, String statement) throws SQLException {
			return connection.prepareStatement(statement, PreparedStatement.RETURN_GENERATED_KEYS);
		}

		@Override
		long token(PreparedStatement statement) throws SQLException {
			if (statement.executeUpdate() == 0) {
				return NONE;
			}
			try (ResultSet keys = statement.getGeneratedKeys()) {
				return first(keys);
			}
		}

		/** Return a statement without an error, which the driver would log. */
		@Override
		String ignoringDuplicates(String insert) {
			return insert.replace("INSERT", "INSERT IGNORE");
		}

		/** Return false, because statements that lock a row read committed data. */
		@Override
		boolean readsSnapshotOfFirstStatement() {
			return false;
		}

		/**
		 * Return the option that lets MariaDB 11.8 lock a row that has changed since the
		 * snapshot of the transaction, which it refuses by default.
		 */
		@Override
		String latest(Connection connection) throws SQLException {
			boolean refuses = text(connection, "SHOW VARIABLES LIKE 'innodb_snapshot_isolation'", 2) != null;
			return refuses ? "SET STATEMENT innodb_snapshot_isolation = OFF FOR " : "";
		}

		/** Return the only form that MariaDB supports. */
		@Override
		String forShare() {
			return " LOCK IN SHARE MODE";
		}

		@Override
		@Nullable String schema(Connection connection, String table) throws SQLException {
			return connection.getCatalog();
		}

		@Override
		boolean isGalera(Connection connection) throws SQLException {
			return "ON".equals(text(connection, "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'", 2));
		}

		/**
		 * Return the value of a binary column, which distinguishes all names, whatever
		 * the driver's encoding is.
		 */
		@Override
		Object name(String name) {
			return name.getBytes(StandardCharsets.UTF_8);
		}

		@Override
		char widest() {
			return '\u20ac';
		}

	},

	/** H2. The time is that of the beginning of a transaction. */
	H2("CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)",
			"WHEN READONLY() THEN 'it was opened for reading only'", null) {

		@Override
		String returningToken(String statement) {
			return "SELECT token FROM FINAL TABLE (" + statement + ")";
		}

		@Override
		String forShare() {
			return " FOR UPDATE";
		}

	};

	/** The token of a statement that has changed no row. */
	static final long NONE = -1;

	private static final String SESSION = "lock-spring-boot";

	private final String micros;

	/** The expression that selects why nothing can be written. */
	private final String readOnly;

	/** The variable of a session that limits the wait for a locked row, in seconds. */
	private final @Nullable String lockTimeout;

	DatabaseDialect(String micros, String readOnly, @Nullable String lockTimeout) {
		this.micros = micros;
		this.readOnly = "SELECT CASE " + readOnly + " END";
		this.lockTimeout = lockTimeout;
	}

	static DatabaseDialect of(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		return switch (product.toLowerCase(Locale.ROOT)) {
			case "postgresql" -> POSTGRESQL;
			case "mysql", "mariadb" -> MYSQL;
			case "h2" -> H2;
			default -> throw new SQLException("Locks can't be kept in " + product
					+ " yet: lock.backend=jdbc supports PostgreSQL, MySQL, MariaDB and H2");
		};
	}

	/**
	 * Return the properties of connections. By default, a server that accepts a
	 * connection and never replies blocks drivers, and MariaDB parses each statement
	 * again. The name is for people who inspect the list of sessions.
	 */
	public static Properties connectionProperties(String url) {
		Properties properties = new Properties();
		Map<String, String> defaults = new HashMap<>();
		if (url.startsWith("jdbc:postgresql:")) {
			defaults.putAll(Map.of("connectTimeout", "10", "socketTimeout", "10", "ApplicationName", SESSION));
		}
		if (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) {
			defaults.putAll(Map.of("connectTimeout", "10000", "socketTimeout", "10000", "connectionAttributes",
					"program_name:" + SESSION));
		}
		if (url.startsWith("jdbc:mariadb:")) {
			defaults.put("useServerPrepStmts", "true");
		}
		defaults.forEach((name, value) -> {
			if (!url.contains(name + "=")) {
				properties.setProperty(name, value);
			}
		});
		return properties;
	}

	/** Return the clause that keeps others from changing the rows of a query. */
	String forShare() {
		return " FOR SHARE";
	}

	/**
	 * Return the prefix of a query that locks rows, with which the query reads the latest
	 * committed data, whatever the transaction has read before, if the database supports
	 * this.
	 */
	String latest(Connection connection) throws SQLException {
		return "";
	}

	/** Return the name, for a statement, of the user or role that needs the rights. */
	String currentUser(Connection connection) throws SQLException {
		return connection.getMetaData().getUserName();
	}

	/** Return the statements by which a user gets the rights to lock rows. */
	String grants(String table, String user) {
		return "GRANT SELECT, UPDATE ON " + table + " TO " + user + "; GRANT SELECT, UPDATE ON " + table + "_holder TO "
				+ user;
	}

	/**
	 * Return whether a transaction with more isolation than READ COMMITTED reads data as
	 * of its first statement, even if that statement waited for a lock.
	 */
	boolean readsSnapshotOfFirstStatement() {
		return true;
	}

	/** Return the schema in which a connection finds a table whose name has no schema. */
	@Nullable String schema(Connection connection, String table) throws SQLException {
		return connection.getSchema();
	}

	/**
	 * Return why nothing can be written to the database; {@code null} if the database is
	 * writable.
	 */
	@Nullable String readOnly(Connection connection) throws SQLException {
		return text(connection, this.readOnly, 1);
	}

	/** Return whether several servers may accept changes at the same time. */
	boolean isGalera(Connection connection) throws SQLException {
		return false;
	}

	private static @Nullable String text(Connection connection, String query, int column) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
			return rows.next() ? rows.getString(column) : null;
		}
	}

	/**
	 * Return whether a pooler may give the session of a connection to others after each
	 * transaction. Settings must then end with the transaction.
	 */
	boolean sharesSessions() {
		return false;
	}

	/**
	 * Return a condition, always true, that limits for how long its transaction waits for
	 * a row, if that can't be a setting of the session. By default, PostgreSQL waits
	 * without a limit, and MySQL for 50 seconds.
	 */
	String briefly() {
		return "";
	}

	/** Return for how many seconds a session waits for a row, if that can be set. */
	@Nullable String lockTimeout(Connection connection) throws SQLException {
		return (this.lockTimeout != null) ? text(connection, "SELECT @@" + this.lockTimeout, 1) : null;
	}

	void setLockTimeout(Connection connection, @Nullable String seconds) throws SQLException {
		if (this.lockTimeout != null && seconds != null) {
			try (Statement statement = connection.createStatement()) {
				statement.execute("SET SESSION " + this.lockTimeout + " = " + seconds);
			}
		}
	}

	/**
	 * Return a condition, always true, with which the commit of a statement does not wait
	 * for the disk, if the database supports this.
	 */
	String withoutFlush() {
		return "";
	}

	/** Return whether a session can be notified by others. */
	boolean hasNotifications() {
		return false;
	}

	/** Return the expression for the time of the database, in microseconds since 1970. */
	String micros() {
		return this.micros;
	}

	/** Return the expression for the token that a statement writes and returns. */
	String remembered(String token) {
		return token;
	}

	/** Return a statement that also returns the token of the row that it has changed. */
	String returningToken(String statement) {
		return statement;
	}

	PreparedStatement prepareReturningToken(Connection connection, String statement) throws SQLException {
		return connection.prepareStatement(statement);
	}

	/**
	 * Execute a statement with {@link #returningToken}, and return the token or
	 * {@link #NONE}.
	 */
	long token(PreparedStatement statement) throws SQLException {
		try (ResultSet rows = statement.executeQuery()) {
			return first(rows);
		}
	}

	private static long first(ResultSet rows) throws SQLException {
		return rows.next() ? rows.getLong(1) : NONE;
	}

	/**
	 * Return the encoding of the names of locks, {@code null} if it has all characters or
	 * is unknown.
	 */
	@Nullable Charset encoding(Connection connection) throws SQLException {
		return null;
	}

	/**
	 * Return a letter that needs at least as much space as any other in the column of the
	 * names.
	 */
	char widest() {
		return '-';
	}

	/** Return an insertion that ignores duplicates, or fails without further effect. */
	String ignoringDuplicates(String insert) {
		return insert;
	}

	/** Return the value of the column with the name of a lock. */
	Object name(String name) {
		return name;
	}

}
