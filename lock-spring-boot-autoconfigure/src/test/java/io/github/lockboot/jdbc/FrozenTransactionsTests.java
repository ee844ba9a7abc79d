package io.github.lockboot.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.jdbc.transaction.TransactionFence;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counters in a database, read and written under locks in Redis by JVMs that are frozen
 * for longer than their leases, at any point of their transactions.
 */
@RedisTest
@Timeout(180)
@Tag("long")
class FrozenTransactionsTests {

	private static final int COUNTERS = 4;

	private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("lockboot.fence.seconds", 15));

	/** To see that updates are lost then. */
	private static final boolean FENCED = !Boolean.getBoolean("lockboot.fence.off");

	private final RedisServer redis;

	FrozenTransactionsTests(RedisServer redis) {
		this.redis = redis;
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2") // a database of one JVM
	void noUpdateIsLost(TestDatabase database) {
		DriverManagerDataSource dataSource = (DriverManagerDataSource) database.dataSource();
		JdbcClient sql = JdbcClient.create(dataSource);
		Stream
			.of("DROP TABLE IF EXISTS counters", "DROP TABLE IF EXISTS lock_fence",
					"CREATE TABLE counters (name INT PRIMARY KEY, value_ BIGINT NOT NULL)")
			.forEach((statement) -> sql.sql(statement).update());
		IntStream.range(0, COUNTERS)
			.forEach((name) -> sql.sql("INSERT INTO counters VALUES (?, 0)").param(name).update());
		List<JvmProcess> processes = IntStream.range(0, 3)
			.mapToObj((number) -> JvmProcess.start(
					List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-Dlockboot.fence.off=" + !FENCED), Writers.class,
					this.redis.host(), String.valueOf(this.redis.port()), Objects.requireNonNull(dataSource.getUrl()),
					Objects.requireNonNull(dataSource.getUsername()), Objects.requireNonNull(dataSource.getPassword())))
			.toList();
		try {
			processes.forEach((process) -> process.awaitLine("^ready", Duration.ofSeconds(60)));
			int frozen = freezeInTurns(processes);
			processes.forEach((process) -> process.send("stop"));
			long committed = processes.stream()
				.mapToLong(
						(process) -> Long.parseLong(process.awaitLine("^committed ").substring("committed ".length())))
				.sum();
			long counted = sql.sql("SELECT SUM(value_) FROM counters").query(Long.class).single();
			System.out.println(database + ": " + committed + " transactions, " + frozen + " times a frozen JVM, "
					+ (committed - counted) + " updates lost");
			assertThat(committed).isPositive();
			assertThat(FENCED ? counted : committed).isEqualTo(committed);
		}
		finally {
			processes.forEach(JvmProcess::close);
		}
	}

	private static int freezeInTurns(List<JvmProcess> processes) {
		int count = 0;
		long end = System.nanoTime() + TIME.toNanos();
		while (System.nanoTime() < end) {
			JvmProcess process = processes.get(ThreadLocalRandom.current().nextInt(processes.size()));
			process.freeze();
			pause(ThreadLocalRandom.current().nextInt(400, 900));
			process.thaw();
			pause(ThreadLocalRandom.current().nextInt(20, 100));
			count++;
		}
		return count;
	}

	private static void pause(int millis) {
		Awaitility.await().pollDelay(Duration.ofMillis(millis)).until(() -> true);
	}

	/** Counts up under locks with short leases until it is told to stop. */
	static final class Writers {

		private static final int THREADS = 4;

		private final RedisLockTemplate locks;

		private final TransactionTemplate transaction;

		private final JdbcClient sql;

		private final AtomicLong committed = new AtomicLong();

		private volatile boolean stopped;

		Writers(RedisLockTemplate locks, DataSource dataSource) {
			this.locks = locks;
			this.sql = JdbcClient.create(dataSource);
			JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
			this.transaction = new TransactionTemplate(transactions);
			if (FENCED) {
				TransactionFence fence = new TransactionFence((template) -> true, (name) -> name, (database) -> true);
				fence.postProcessBeforeInitialization(locks, "locks");
				fence.postProcessBeforeInitialization(transactions, "transactions");
			}
		}

		private void countUp() {
			while (!this.stopped) {
				int counter = ThreadLocalRandom.current().nextInt(COUNTERS);
				try {
					LockRequest request = LockRequest.of("counter:" + counter)
						.leaseTime(Duration.ofMillis(400))
						.waitTime(Duration.ofSeconds(5));
					this.locks.execute(request, () -> this.transaction.executeWithoutResult((status) -> {
						long value = this.sql.sql("SELECT value_ FROM counters WHERE name = ?")
							.param(counter)
							.query(Long.class)
							.single();
						this.sql.sql("UPDATE counters SET value_ = ? WHERE name = ?")
							.params(value + 1, counter)
							.update();
					}));
					this.committed.incrementAndGet();
				}
				catch (LockException | DataAccessException | TransactionException ex) {
					// not committed
				}
			}
		}

		public static void main(String[] args) throws IOException {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration(args[0], Integer.parseInt(args[1])));
			ExecutorService threads = Executors.newFixedThreadPool(THREADS);
			try (RedisLockTemplate locks = new RedisLockTemplate(factory, RedisLockSettings.defaults(), List.of());
					HikariDataSource pool = new HikariDataSource()) {
				pool.setJdbcUrl(args[2]);
				pool.setUsername(args[3]);
				pool.setPassword(args[4]);
				pool.setMaximumPoolSize(THREADS);
				Writers writers = new Writers(locks, pool);
				List<CompletableFuture<Void>> ends = IntStream.range(0, THREADS)
					.mapToObj((thread) -> CompletableFuture.runAsync(writers::countUp, threads))
					.toList();
				System.out.println("ready");
				new BufferedReader(new InputStreamReader(System.in)).readLine();
				writers.stopped = true;
				ends.forEach(CompletableFuture::join);
				System.out.println("committed " + writers.committed);
			}
			threads.shutdown();
		}

	}

}
