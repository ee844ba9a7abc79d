package io.github.lockboot.redis;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.NoRerun;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads of several JVMs acquire two of five locks at once, in any order: all succeed,
 * and no lock has two holders at the same time.
 */
@RedisTest
@Timeout(240)
@Tag("long")
class PhilosophersTests {

	private static final int JVMS = 3;

	private static final int FORKS = 5;

	private static final Duration LEASE = Duration.ofSeconds(4);

	private static final Duration LONG = Duration.ofSeconds(120);

	private final RedisServer redis;

	PhilosophersTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	@NoRerun
	void allEatAndNoForkIsUsedTwiceAtOnce() {
		List<JvmProcess> tables = tables(40);
		tables.forEach((table) -> table.send("eat"));
		long uses = tables.stream().mapToLong(PhilosophersTests::uses).sum();
		assertThat(counted()).isEqualTo(uses);
		assertThat(heldForks()).isZero();
		tables.forEach(JvmProcess::close);
	}

	@Test
	void theOthersContinueWhenOneJvmDiesDuringAMeal() {
		List<JvmProcess> tables = tables(40);
		JvmProcess victim = tables.get(0);
		tables.forEach((table) -> table.send("eat"));
		victim.awaitLine("^half$", LONG);
		victim.kill();
		tables.stream().skip(1).forEach(PhilosophersTests::uses);
		Awaitility.await().atMost(LEASE.plusSeconds(30)).until(() -> heldForks() == 0);
		tables.forEach(JvmProcess::close);
	}

	private List<JvmProcess> tables(int meals) {
		List<JvmProcess> tables = IntStream.range(0, JVMS)
			.mapToObj((i) -> JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), Table.class,
					this.redis.host(), "" + this.redis.port(), "" + i, "" + meals))
			.toList();
		tables.forEach((table) -> table.awaitLine("^sitting$", LONG));
		return tables;
	}

	private static long uses(JvmProcess table) {
		return Long.parseLong(table.awaitLine("^full ", LONG).split(" ")[1]);
	}

	private long counted() {
		return IntStream.range(0, FORKS)
			.mapToLong((i) -> Long.parseLong(String.valueOf(this.redis.command("GET", "uses:" + i))))
			.sum();
	}

	private long heldForks() {
		return IntStream.range(0, FORKS)
			.filter((i) -> Long.valueOf(1).equals(this.redis.command("EXISTS", "lock:{fork:" + i + "}")))
			.count();
	}

	/** One JVM of philosophers, who count the uses of their forks in Redis. */
	static final class Table {

		private static final int PHILOSOPHERS = 4;

		private final RedisLockTemplate locks;

		private final RedisCommands<String, String> commands;

		private Table(RedisLockTemplate locks, RedisCommands<String, String> commands) {
			this.locks = locks;
			this.commands = commands;
		}

		public static void main(String[] args) throws Exception {
			String host = args[0];
			int port = Integer.parseInt(args[1]);
			BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
			ExecutorService philosophers = Executors.newFixedThreadPool(PHILOSOPHERS);
			try (RedisLockTemplate locks = new RedisLockTemplate(Applications.at(host, port),
					RedisLockSettings.defaults(), List.of());
					RedisClient client = RedisClient.create(RedisURI.create(host, port))) {
				Table table = new Table(locks, client.connect().sync());
				System.out.println("sitting");
				in.readLine();
				List<Future<?>> dinner = new ArrayList<>();
				for (int i = 0; i < PHILOSOPHERS; i++) {
					Random random = new Random(100L * Integer.parseInt(args[2]) + i);
					dinner.add(philosophers.submit(() -> table.dine(random, Integer.parseInt(args[3]))));
				}
				for (Future<?> each : dinner) {
					each.get();
				}
				System.out.println("full " + 2L * PHILOSOPHERS * Integer.parseInt(args[3]));
				in.readLine();
			}
			finally {
				philosophers.shutdownNow();
			}
		}

		private void dine(Random random, int meals) {
			for (int meal = 0; meal < meals; meal++) {
				int left = random.nextInt(FORKS);
				int right = (left + 1 + random.nextInt(FORKS - 1)) % FORKS;
				LockRequest forks = LockRequest.allOf("fork:" + left, "fork:" + right).leaseTime(LEASE).waitTime(LONG);
				this.locks.execute(forks, () -> {
					use(left);
					use(right);
				});
				if (meal == meals / 2) {
					System.out.println("half");
				}
			}
		}

		/** Not atomic, so that a use that overlaps another one is not counted. */
		private void use(int fork) {
			String uses = this.commands.get("uses:" + fork);
			this.commands.set("uses:" + fork, "" + (((uses != null) ? Long.parseLong(uses) : 0) + 1));
		}

	}

}
