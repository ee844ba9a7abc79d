package io.github.lockboot.benchmarks.scenario.server;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * The databases, with the tables of all peers, and the options of the driver for all of
 * them: statements prepared by the server, as PostgreSQL's driver does by itself. Each
 * has the settings that it has by default.
 */
enum Database implements Server {

	/** PostgreSQL. */
	POSTGRESQL("PostgreSQL", DatabaseServer.Kind.POSTGRESQL, "postgres", "SELECT SUM(calls) FROM pg_stat_statements",
			List.of("CREATE EXTENSION pg_stat_statements", shedlock("TIMESTAMP")), "", "-c", "fsync=on", "-c",
			"shared_preload_libraries=pg_stat_statements"),

	/** MariaDB. */
	MARIADB("MariaDB", DatabaseServer.Kind.MARIADB, "root", "SHOW GLOBAL STATUS LIKE 'Questions'",
			List.of(shedlock("TIMESTAMP(3)")), "&useServerPrepStmts=true", "--innodb-flush-log-at-trx-commit=1");

	private static final List<String> TABLES = List.of(
			"CREATE TABLE bare_lock (name VARCHAR(255) PRIMARY KEY, owner VARCHAR(64), expires_at BIGINT NOT NULL)",
			"CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),"
					+ " CREATED_DATE TIMESTAMP(6) NOT NULL, EXPIRED_AFTER TIMESTAMP(6) NOT NULL,"
					+ " CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))");

	private final String label;

	private final DatabaseServer.Kind kind;

	private final String user;

	private final String statements;

	private final List<String> setUp;

	private final String urlOptions;

	private final String[] options;

	private @Nullable String url;

	Database(String label, DatabaseServer.Kind kind, String user, String statements, List<String> setUp,
			String urlOptions, String... options) {
		this.label = label;
		this.kind = kind;
		this.user = user;
		this.statements = statements;
		this.setUp = setUp;
		this.urlOptions = urlOptions;
		this.options = options;
	}

	/** Return the table as in the README of ShedLock 7.10 for each database. */
	private static String shedlock(String time) {
		return "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL, lock_until " + time + " NOT NULL, locked_at " + time
				+ " NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))";
	}

	@Override
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	@Override
	public String label() {
		return this.label;
	}

	@Override
	public String address() {
		if (this.url == null) {
			try {
				DatabaseServer server = DatabaseServer.started(this.kind, this.options);
				String started = server.url(server.host() + ":" + server.port()) + "?user=" + this.user
						+ this.urlOptions;
				createTables(started);
				this.url = started;
			}
			catch (IOException | SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return this.url;
	}

	private void createTables(String url) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			for (String table : TABLES) {
				statement.execute(table);
			}
			for (String command : this.setUp) {
				statement.execute(command);
			}
		}
		new JdbcLockTemplate(new DriverManagerDataSource(url), JdbcLockSettings.defaults().withCreateTables(true),
				List.of())
			.close();
	}

	@Override
	public List<PeerKind> peers() {
		Stream<PeerKind> relaxed = (this != POSTGRESQL) ? Stream.of()
				: Stream.of(PeerKind.DATABASE_SHEDLOCK_RELAXED, PeerKind.DATABASE_INTEGRATION_RELAXED);
		return Stream.concat(Stream.of(PeerKind.DATABASE_OURS, PeerKind.DATABASE_BARE, PeerKind.DATABASE_SHEDLOCK,
				PeerKind.DATABASE_INTEGRATION), relaxed)
			.toList();
	}

	@Override
	public List<PeerKind> waitingPeers() {
		return List.of(PeerKind.DATABASE_OURS, PeerKind.DATABASE_INTEGRATION);
	}

	@Override
	public String unit() {
		return "statements";
	}

	@Override
	public long count() {
		try (Connection connection = DriverManager.getConnection(address());
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(this.statements)) {
			rows.next();
			return rows.getLong(rows.getMetaData().getColumnCount());
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
