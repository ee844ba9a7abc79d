package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Missing permissions of the user are reported at startup.
 */
@DependsOnRedisVersion
@Timeout(90)
class UserRightsTests {

	private static final RedisLockSettings SETTINGS = RedisLockSettings.defaults()
		.withCommandTimeout(Duration.ofSeconds(20));

	@AutoClose
	private final RedisServer redis = RedisFixture.newServer();

	@ParameterizedTest
	@ValueSource(strings = { "del", "evalsha", "exists", "get", "hget", "hkeys", "hlen", "linsert", "lrange", "lrem",
			"set", "time", "zadd", "zrange" })
	void missingCommandThatEveryLockNeedsStopsTheStart(String command) {
		user("~lock:*", "&lock:*", "+@all", "-" + command);
		assertRefused(SETTINGS, command);
	}

	@ParameterizedTest
	@ValueSource(strings = { "eval", "hset", "rpush" })
	void missingCommandThatCannotBeTriedStopsTheStart(String command) {
		Assumptions.assumeFalse(RedisFixture.version().startsWith("6"), "Redis 6 can't be asked");
		user("~lock:*", "&lock:*", "+@all", "-" + command);
		assertRefused(SETTINGS, "+" + command);
	}

	@Test
	void missingWaitForReplicasIsReportedOnlyIfItIsUsed() {
		Assumptions.assumeFalse(RedisFixture.version().startsWith("6"), "Redis 6 can't be asked");
		user("~lock:*", "&lock:*", "+@all", "-wait");
		assertRefused(SETTINGS.withMinReplicasAcknowledged(1), "+wait");
		template(SETTINGS).close();
	}

	@Test
	void missingPermissionForKeysStopsTheStart() {
		user("~lock:*", "&lock:*", "+@all");
		assertRefused(SETTINGS.withKeyPrefix("mine:"), "NOPERM");
	}

	@ParameterizedTest
	@ValueSource(strings = { "scan", "dbsize" })
	void missingRightForAListIsNamedWhenLocksAreListed(String command) {
		user("~lock:*", "&lock:*", "+@all", "-" + command);
		try (RedisLockTemplate locks = template(SETTINGS)) {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.list("*", null, 10))
				.withMessageContainingAll("NOPERM", "+scan +dbsize");
			assertThat(locks.list("orders:42", null, 10)).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "~lock:* &lock:* +@all -publish", "~lock:* +@all" })
	void missingPermissionForPushesLogsAWarning(String rights) {
		user(rights.split(" "));
		try (CapturedLog log = new CapturedLog(); RedisLockTemplate locks = template(SETTINGS)) {
			locks.acquire("a").close();
			assertThat(log.lines("WARN")).singleElement().asString().contains("Waiters poll", "+publish &lock:inbox:*");
		}
	}

	@Test
	void userWithAllPermissionsLogsNoWarningAndChangesNothing() {
		user("~lock:*", "&lock:*", "+@all");
		try (CapturedLog log = new CapturedLog(); RedisLockTemplate locks = template(SETTINGS)) {
			assertThat(locks).isNotNull();
			assertThat(log.lines("")).isEmpty();
			assertThat(this.redis.command("KEYS", "*")).isEqualTo(List.of());
		}
	}

	private void user(String... rights) {
		Stream<String> reset = Stream.of("ACL", "SETUSER", "shop", "reset", "on", ">pw", "resetchannels");
		this.redis.command(Stream.concat(reset, Stream.of(rights)).toArray(String[]::new));
	}

	private void assertRefused(RedisLockSettings settings, String reason) {
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> template(settings).close())
			.withMessageContaining(reason);
	}

	private RedisLockTemplate template(RedisLockSettings settings) {
		return new RedisLockTemplate(Applications.of(this.redis, "shop", "pw"), settings, List.of());
	}

}
