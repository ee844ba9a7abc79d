package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An outage is logged with one line at its start and one at its end.
 */
@Timeout(90)
class OutageLogTests {

	private static final LockRequest ONCE = LockRequest.of("orders:42").waitTime(Duration.ZERO);

	@AutoClose
	private final CapturedLog log = new CapturedLog();

	@Test
	void aDeadServerIsLoggedOnceAndAgainWhenItIsBack() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate locks = template(redis)) {
			redis.kill();
			awaitLines(locks, 1);
			tryLock(locks);
			redis.start();
			awaitLines(locks, 2);
			locks.acquire(ONCE.waitTime(Duration.ofSeconds(10))).close();
			String server = "Redis \\(127.0.0.1:" + redis.port() + "\\)";
			List<String> lines = this.log.lines("Redis (");
			assertThat(lines).hasSize(2);
			assertThat(lines.get(0)).matches("WARN " + server
					+ " has been unreachable for the locks since \\S+Z, \\d+ ms: \\d+ calls? failed.*");
			assertThat(lines.get(1))
				.matches("INFO " + server + " is back for the locks after \\d+ ms, in which \\d+ calls failed");
		}
	}

	/** A call that waits sends many commands, and renewals are no calls. */
	@Test
	void anOutageCountsTheCallsThatFailed() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate locks = template(redis)) {
			locks.acquire(ONCE.leaseTime(Duration.ofSeconds(30)));
			redis.kill();
			await(() -> assertThat(this.log.lines("unreachable")).hasSize(1));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.acquire(ONCE.name("a").waitTime(Duration.ofSeconds(1))));
			redis.start();
			await(() -> assertThat(this.log.lines("is back")).singleElement().asString().endsWith("1 call failed"));
			assertThat(this.log.lines("WARN")).filteredOn((line) -> !line.contains("at risk")).hasSize(1);
		}
	}

	@Test
	void aRotatedPasswordIsNamedByTheLogAndTheException() {
		try (RedisServer redis = RedisFixture.newServer()) {
			redis.command("ACL", "SETUSER", "shop", "on", ">pw", "~*", "&*", "+@all");
			try (RedisLockTemplate locks = RedisConnections.template(Applications.of(redis, "shop", "pw"))) {
				redis.command("ACL", "SETUSER", "shop", "resetpass", ">rotated");
				redis.command("CLIENT", "KILL", "USER", "shop");
				await(() -> assertThat(this.log.lines("unreachable")).singleElement().asString().contains("WRONGPASS"));
				assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.acquire(ONCE))
					.withMessageContaining("last connection error: RedisCommandExecutionException: WRONGPASS");
			}
		}
	}

	@Test
	void aConnectionThatIsRestoredAtOnceIsNotLogged() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate locks = template(redis)) {
			redis.command("CLIENT", "KILL", "TYPE", "normal");
			locks.acquire(ONCE.waitTime(Duration.ofSeconds(10))).close();
			assertThat(this.log.lines("Redis (")).isEmpty();
		}
	}

	@Test
	void aDeadMasterOfAClusterIsLoggedByItsAddressOnly() {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0);
				RedisLockTemplate locks = RedisConnections.template(Applications.of(cluster))) {
			cluster.servers().forEach((node) -> node.command("CONFIG", "SET", "cluster-require-full-coverage", "no"));
			for (int i = 0; i < 20; i++) {
				locks.acquire(ONCE.name("orders:" + i)).close();
			}
			RedisServer dead = cluster.masterOf("orders:0");
			dead.kill();
			await(() -> {
				for (int i = 0; i < 20; i++) {
					tryLock(locks, "orders:" + i);
				}
				assertThat(this.log.lines("unreachable")).isNotEmpty();
			});
			assertThat(this.log.lines("Redis (")).hasSize(1)
				.allSatisfy((line) -> assertThat(line).contains("(127.0.0.1:" + dead.port() + ")"));
		}
	}

	private void awaitLines(RedisLockTemplate locks, int count) {
		await(() -> {
			tryLock(locks);
			assertThat(this.log.lines("Redis (")).hasSize(count);
		});
	}

	private static void await(ThrowingRunnable assertion) {
		Awaitility.await().untilAsserted(assertion);
	}

	private static void tryLock(RedisLockTemplate locks) {
		tryLock(locks, "orders:42");
	}

	private static void tryLock(RedisLockTemplate locks, String name) {
		try {
			locks.acquire(ONCE.name(name)).close();
		}
		catch (LockException ex) {
			// as long as the server is dead
		}
	}

	private static RedisLockTemplate template(RedisServer redis) {
		return RedisConnections.template(Applications.of(redis));
	}

}
