package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockState;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The list of the locks among the other keys of a server.
 */
@DependsOnRedisVersion
@Timeout(90)
class HeldLocksTests {

	@AutoClose
	private final RedisServer redis = RedisFixture.newServer();

	@Test
	void keysThatAreNoLocksOfTheApplicationAreNotListed() {
		this.redis.command("MSET", "[l]*:{}", "a", "[l]*:b", "a", "[l]*:{c}:f", "1", "l:{d}", "a", "[l]*:x:{e}", "a");
		this.redis.command("HSET", "[l]*:{f}", "a", "b");
		try (RedisLockTemplate locks = template("[l]*:"); LockHandle held = locks.acquire("order:42")) {
			assertThat(locks.list("*", null, 10)).extracting(LockState::name).containsExactly(held.name());
		}
	}

	@Test
	void aLockOfAnotherProgramIsListedWithItsOwner() {
		this.redis.command("SET", "lock:{job}", "cron@host");
		try (RedisLockTemplate locks = template("lock:")) {
			assertThat(locks.list("*", null, 10)).extracting(LockState::owner).containsExactly("cron@host");
		}
	}

	@Test
	void aLockAmongManyKeysIsFound() {
		fill(100_000);
		try (RedisLockTemplate locks = template("lock:"); LockHandle held = locks.acquire("order:42")) {
			assertThat(locks.list("order:*", null, 10)).extracting(LockState::name).containsExactly(held.name());
		}
	}

	@Test
	void moreThanAMillionKeysAreNotVisited() {
		fill(1_000_001);
		try (RedisLockTemplate locks = template("lock:")) {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> locks.list("*", null, 10))
				.withMessageContainingAll("1000001 keys", "spring.data.redis.database");
			assertThat(locks.list("order:42", null, 10)).isEmpty();
		}
		assertThat(scans()).isZero();
	}

	@Test
	void aListThatTakesTooLongVisitsNoFurtherKeys() {
		fill(10_000);
		try (RedisConnection<String> connection = Applications.connect(Applications.of(this.redis),
				Duration.ofSeconds(2), LockScripts.ALL)) {
			this.redis.freeze();
			HeldLocks.names(connection, new LockKeys("lock:"), "*", "", 10).cancel(false);
			this.redis.thaw();
			Awaitility.await().until(() -> scans() > 0);
			Awaitility.await().during(Duration.ofMillis(300)).until(() -> scans() == 1);
		}
	}

	private long scans() {
		return this.redis.commandStats().of("scan");
	}

	private void fill(int count) {
		for (int from = 0; from < count; from += 100_000) {
			this.redis.command("EVAL", "for i = ARGV[1], ARGV[2] do redis.call('SET', 'a' .. i, '') end", "0",
					String.valueOf(from), String.valueOf(Math.min(from + 100_000, count) - 1));
		}
	}

	private RedisLockTemplate template(String keyPrefix) {
		return new RedisLockTemplate(Applications.of(this.redis),
				RedisLockSettings.defaults().withKeyPrefix(keyPrefix).withCommandTimeout(Duration.ofSeconds(20)),
				List.of());
	}

}
