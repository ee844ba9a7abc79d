package io.github.lockboot.fencing;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counters in a database, read and written under locks by JVMs that are frozen for longer
 * than their leases, at any point of their transactions, while the servers of the locks
 * are killed and emptied. With {@code -Dlockboot.fence.off=true} the fence is off,
 * {@code -Dlockboot.fence.seconds} is the length of each run.
 */
@Tag("long")
class FrozenTransactionsTests {

	private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("lockboot.fence.seconds", 5));

	@ParameterizedTest
	@CsvSource({ "REDIS, POSTGRESQL", "REDIS, MARIADB", "ZOOKEEPER, POSTGRESQL", "ZOOKEEPER, MARIADB" })
	void noUpdateIsLost(FencedStore store, TestDatabase database) {
		DriverManagerDataSource dataSource = (DriverManagerDataSource) database.dataSource();
		JdbcClient sql = JdbcClient.create(dataSource);
		Stream
			.of("DROP TABLE IF EXISTS counters", "DROP TABLE IF EXISTS lock_fence",
					"CREATE TABLE counters (name INT PRIMARY KEY, value_ BIGINT NOT NULL, commits BIGINT NOT NULL)")
			.forEach((statement) -> sql.sql(statement).update());
		IntStream.range(0, FencedWriters.COUNTERS).forEach((name) -> {
			sql.sql("INSERT INTO counters VALUES (?, 0, 0)").param(name).update();
			sql.sql("CREATE TABLE IF NOT EXISTS truncated" + name + " (name INT)").update();
		});
		try (FencedStore.Servers servers = store.start()) {
			List<JvmProcess> processes = IntStream.range(0, 3)
				.mapToObj((number) -> JvmProcess.start(
						List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-Dlockboot.fence.off=" + !FencedWriters.FENCED,
								"-Dlockboot.fence.kinds=" + System.getProperty("lockboot.fence.kinds", "")),
						FencedWriters.class, store.name(), servers.address(),
						Objects.requireNonNull(dataSource.getUrl()), Objects.requireNonNull(dataSource.getUsername()),
						Objects.requireNonNull(dataSource.getPassword())))
				.toList();
			try {
				processes.forEach((process) -> process.awaitLine("^ready", Duration.ofSeconds(60)));
				String faults = injectFaults(processes, servers);
				processes.forEach((process) -> process.send("stop"));
				String ends = processes.stream()
					.map((process) -> process.awaitLine("^committed ", Duration.ofSeconds(60)))
					.collect(Collectors.joining("\n"));
				long committed = sql.sql("SELECT SUM(commits) FROM counters").query(Long.class).single();
				long counted = sql.sql("SELECT SUM(value_) FROM counters").query(Long.class).single();
				System.out.println(store + " " + database + ": " + committed + " committed, " + faults + ", "
						+ (committed - counted) + " updates lost\n" + ends);
				assertThat(committed).isPositive();
				assertThat(FencedWriters.FENCED ? counted : committed).isEqualTo(committed);
			}
			finally {
				processes.forEach(JvmProcess::close);
			}
		}
	}

	/**
	 * Freeze one JVM after the other, and let every eighth time the servers fail
	 * meanwhile; those of ZooKeeper each time, whose leases are longer than a JVM is
	 * frozen.
	 */
	private static String injectFaults(List<JvmProcess> processes, FencedStore.Servers servers) {
		RandomGenerator random = new Random();
		int frozen = 0;
		int failed = 0;
		long end = System.nanoTime() + TIME.toNanos();
		while (System.nanoTime() < end) {
			JvmProcess process = processes.get(random.nextInt(processes.size()));
			process.freeze();
			if (servers.isPatient() || frozen % 8 == 0) {
				servers.fail(random);
				failed++;
			}
			pause(random.nextInt(400, 900));
			process.thaw();
			pause(random.nextInt(20, 300));
			frozen++;
		}
		return frozen + " times a frozen JVM, " + failed + " times failed servers";
	}

	private static void pause(int millis) {
		Awaitility.await().pollDelay(Duration.ofMillis(millis)).until(() -> true);
	}

}
