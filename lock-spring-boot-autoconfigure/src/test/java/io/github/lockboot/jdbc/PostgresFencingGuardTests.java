package io.github.lockboot.jdbc;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/**
 * Fencing tokens in a PostgreSQL that runs here as a process.
 */
@Timeout(120)
class PostgresFencingGuardTests extends JdbcFencingGuardContract {

	private static @Nullable EmbeddedPostgres postgres;

	PostgresFencingGuardTests() {
		super(Objects.requireNonNull(postgres).getPostgresDatabase(), "VARCHAR(255)");
	}

	@BeforeAll
	static void start() {
		try {
			postgres = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start();
		}
		catch (IOException | RuntimeException ex) {
			System.err.println("PostgresFencingGuardTests is LEFT OUT: no PostgreSQL starts here: " + ex);
			Assumptions.abort("No PostgreSQL starts here: " + ex);
		}
	}

	@AfterAll
	static void stop() throws IOException {
		if (postgres != null) {
			postgres.close();
			postgres = null;
		}
	}

}
