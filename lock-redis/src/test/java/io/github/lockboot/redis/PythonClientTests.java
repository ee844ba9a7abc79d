package io.github.lockboot.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.NoRerun;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client in Python of the page docs/protocol.md, beside ours.
 */
@DependsOnRedisVersion
@RedisTest
@Timeout(60)
class PythonClientTests {

	private static final int SECTIONS = 150;

	private static final Duration LEASE = Duration.ofSeconds(1);

	private final RedisServer redis;

	private final WatchedLock watched;

	private final RedisLockTemplate locks;

	PythonClientTests(RedisServer redis) {
		this.redis = redis;
		this.watched = new WatchedLock(redis);
		this.locks = new RedisLockTemplate(Applications.of(redis), WatchedLock.SETTINGS, List.of());
	}

	@BeforeAll
	static void requirePython() {
		try {
			Process process = new ProcessBuilder("python3", "--version").start();
			Assumptions.assumeTrue(process.waitFor() == 0, "python3 does not start here");
		}
		catch (IOException | InterruptedException ex) {
			Assumptions.abort("There is no python3 here: " + ex);
		}
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.redis.command("DEL", "counter");
	}

	@Test
	@NoRerun
	void sectionsOfBothClientsNeverOverlap() {
		try (JvmProcess python = python(Duration.ofSeconds(30), SECTIONS, "0.001")) {
			python.awaitLine("^holds");
			for (int i = 0; i < SECTIONS; i++) {
				this.locks.execute(WatchedLock.patiently(), this::increment);
			}
			python.awaitLine("^done");
		}
		assertThat(this.redis.command("GET", "counter")).isEqualTo(String.valueOf(2 * SECTIONS));
	}

	@Test
	void theLockIsHandedOverInTheOrderOfOneQueueWithGrowingTokens() {
		LockHandle first = this.locks.acquire(WatchedLock.patiently());
		try (JvmProcess python = python(Duration.ofSeconds(30), 1, "0.1")) {
			this.watched.awaitWaiting(1);
			String waiter = this.watched.waiting().get(0);
			first.close();
			assertThat(this.watched.owner()).isEqualTo(waiter);
			try (LockHandle second = this.locks.acquire(WatchedLock.patiently())) {
				long token = Long.parseLong(python.awaitLine("^holds").split(" ")[1]);
				assertThat(token).isBetween(storeToken(first) + 1, storeToken(second) - 1);
			}
		}
	}

	@Test
	void aLeaseIsRenewedUntilItsHolderIsKilled() {
		try (JvmProcess python = python(LEASE, 1, "60")) {
			python.awaitLine("^holds");
			assertThat(this.locks.tryAcquire(WatchedLock.once().waitTime(LEASE.multipliedBy(2)))).isNull();
			python.kill();
			this.locks.acquire(WatchedLock.patiently()).close();
		}
	}

	/** Callers of the library get three more digits. */
	private static long storeToken(LockHandle hold) {
		return hold.fencingToken() / 1000;
	}

	private void increment() {
		Object value = this.redis.command("GET", "counter");
		long next = (value != null) ? Long.parseLong(String.valueOf(value)) + 1 : 1;
		this.redis.command("SET", "counter", String.valueOf(next));
	}

	private JvmProcess python(Duration lease, int sections, String seconds) {
		return JvmProcess.program("python3", "../docs/lock.py", this.redis.host(), String.valueOf(this.redis.port()),
				"src/main/resources/io/github/lockboot/redis", WatchedLock.once().name(),
				String.valueOf(lease.toMillis()), String.valueOf(sections), seconds);
	}

}
