package io.github.lockboot.jdbc;

import java.io.IOException;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.fixture.DatabaseServer;

/**
 * The databases of the tests. A server is started at the first use and runs until this
 * JVM ends; the tests of one that does not start here are skipped.
 */
enum TestDatabase {

	H2 {

		@Override
		DataSource open() {
			return new DriverManagerDataSource("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1", "sa", "");
		}

	},

	/** With the option of the auto-configuration. */
	MARIADB {

		@Override
		DataSource open() throws IOException {
			DriverManagerDataSource dataSource = (DriverManagerDataSource) open(DatabaseServer.Kind.MARIADB);
			dataSource.setUrl(dataSource.getUrl() + "?useServerPrepStmts=true");
			return dataSource;
		}

	},

	POSTGRESQL {

		@Override
		DataSource open() throws IOException {
			return open(DatabaseServer.Kind.POSTGRESQL);
		}

	};

	private static final int MOST_FAILURES = 3;

	private @Nullable DataSource dataSource;

	private @Nullable DatabaseServer server;

	private @Nullable Exception failure;

	private int failures;

	/** Present once there are tables. */
	private @Nullable DatabaseDialect dialect;

	abstract DataSource open() throws IOException;

	DataSource open(DatabaseServer.Kind kind) throws IOException {
		DatabaseServer started = DatabaseServer.started(kind);
		this.server = started;
		return started.administrator();
	}

	/**
	 * Return the server, which a test may stop and has to start again; skips the test of
	 * H2, which runs in this JVM.
	 */
	DatabaseServer server() {
		dataSource();
		return (this.server != null) ? this.server : Assumptions.abort(this + " runs in this process");
	}

	/** Return a data source that opens connections. */
	DataSource dataSource() {
		while (this.dataSource == null && this.failures < MOST_FAILURES) {
			try {
				this.dataSource = open();
			}
			catch (IOException | RuntimeException ex) {
				// also of a program that was busy as text while another JVM unpacked it
				this.failures++;
				this.failure = ex;
				System.err.println(this + " does not start here, and its tests are SKIPPED after " + MOST_FAILURES
						+ " tries: " + ex);
			}
		}
		if (this.dataSource == null) {
			return Assumptions.abort(this + " does not start here: " + this.failure);
		}
		return this.dataSource;
	}

	/**
	 * Return the URL of a MariaDB whose transactions may not lock rows that have changed
	 * since their snapshot, as by default since 11.6; skips the test of others.
	 */
	String urlWithSnapshotIsolation() {
		Assumptions.assumeTrue(this == MARIADB);
		DatabaseServer mariaDb = server();
		return mariaDb.url(mariaDb.host() + ":" + mariaDb.port()) + "?sessionVariables=innodb_snapshot_isolation=ON";
	}

	/**
	 * Return a data source of a new user who has no right to anything in a schema, which
	 * is created. In MariaDB its default schema is that of the administrator.
	 */
	DataSource userWithoutRights(String schema) {
		String user = "user" + UUID.randomUUID().toString().substring(0, 8);
		JdbcTemplate administrator = new JdbcTemplate(dataSource());
		administrator.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
		administrator.execute(
				"CREATE USER " + user + ((this == H2) ? " PASSWORD ''" : "") + ((this == POSTGRESQL) ? " LOGIN" : ""));
		String url = ((DriverManagerDataSource) dataSource()).getUrl();
		return new DriverManagerDataSource(String.valueOf(url).split(";")[0], user, "");
	}

	/** Return a store, with its tables. */
	JdbcLockStore store(MonotonicClock clock) {
		return store(clock, JdbcLockSettings.Strategy.OPTIMISTIC);
	}

	JdbcLockStore store(MonotonicClock clock, JdbcLockSettings.Strategy strategy) {
		JdbcLockSettings settings = JdbcLockSettings.defaults().withCreateTables(true).withStrategy(strategy);
		if (this.dialect == null) {
			this.dialect = new LockTableCheck(dataSource(), settings).run();
		}
		return new JdbcLockStore(dataSource(), clock, settings, this.dialect);
	}

}
