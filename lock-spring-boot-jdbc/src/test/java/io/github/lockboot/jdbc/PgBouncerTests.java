package io.github.lockboot.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.FreePort;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Locks over a PgBouncer, where one is installed. */
@Timeout(120)
class PgBouncerTests {

	private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

	private static final String SETTINGS = "SELECT name || '=' || setting FROM pg_settings"
			+ " UNION ALL SELECT pg_listening_channels()";

	/** All clients have one session in turns, or each its own one for a while. */
	@ParameterizedTest
	@ValueSource(strings = { "transaction", "session" })
	void otherClientsFindTheSessionAsItWas(String mode) throws IOException {
		Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "no PgBouncer here");
		DatabaseServer server = TestDatabase.POSTGRESQL.server();
		int port = FreePort.pick();
		Process bouncer = start(server, port, mode);
		try {
			DriverManagerDataSource clients = new DriverManagerDataSource(
					"jdbc:postgresql://127.0.0.1:" + port + "/postgres?prepareThreshold=0", "postgres", "");
			JdbcTemplate application = new JdbcTemplate(clients);
			List<String> before = Awaitility.await()
				.ignoreExceptions()
				.until(() -> application.queryForList(SETTINGS, String.class), (settings) -> true);
			try (JdbcLockTemplate locks = new JdbcLockTemplate(clients,
					JdbcLockSettings.defaults().withCreateTables(true), List.of())) {
				lockAgainAndAgain(locks, application, before);
			}
			assertThat(application.queryForList(SETTINGS, String.class)).isEqualTo(before);
		}
		finally {
			bouncer.destroy();
		}
	}

	private static void lockAgainAndAgain(JdbcLockTemplate locks, JdbcTemplate application, List<String> before) {
		LockRequest request = LockRequest.of("test:" + UUID.randomUUID()).waitTime(Duration.ofSeconds(60));
		CompletableFuture.allOf(IntStream.range(0, 4)
			.mapToObj((i) -> CompletableFuture.runAsync(() -> locks.execute((i % 2 == 0) ? request : request.shared(),
					() -> assertThat(application.queryForList(SETTINGS, String.class)).isEqualTo(before))))
			.toArray(CompletableFuture[]::new)).join();
	}

	private static Process start(DatabaseServer server, int port, String mode) throws IOException {
		Path folder = Files.createTempDirectory("pgbouncer");
		folder.toFile().setReadable(true, false);
		folder.toFile().setExecutable(true, false);
		Path options = Files.writeString(folder.resolve("pgbouncer.ini"), """
				[databases]
				postgres = host=127.0.0.1 port=%d user=postgres dbname=postgres
				[pgbouncer]
				listen_addr = 127.0.0.1
				listen_port = %d
				unix_socket_dir =
				auth_type = any
				pool_mode = %s
				default_pool_size = %d
				ignore_startup_parameters = extra_float_digits
				user = nobody
				""".formatted(server.port(), port, mode, mode.equals("session") ? 20 : 1));
		return new ProcessBuilder(PROGRAM.toString(), options.toString()).redirectErrorStream(true)
			.redirectOutput(folder.resolve("log").toFile())
			.start();
	}

}
