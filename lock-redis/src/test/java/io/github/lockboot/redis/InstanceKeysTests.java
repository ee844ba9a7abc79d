package io.github.lockboot.redis;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockState.Holder;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The key by which a JVM tells others what it holds. A separate server, so that no other
 * clients are counted.
 */
@DependsOnRedisVersion
class InstanceKeysTests {

	private static final RedisLockSettings SHOP = WatchedLock.SETTINGS
		.withLockDefaults(LockDefaults.defaults().withApplication("shop"));

	private static final int CYCLES = 100;

	@AutoClose
	private final RedisServer redis = RedisFixture.newServer();

	@Test
	void aJvmHasOneKeyWithALeaseFromItsFirstLockOn() {
		try (RedisLockTemplate locks = template(SHOP)) {
			assertThat(keys()).isEmpty();
			List.of("a", "b", "c").forEach((name) -> locks.acquire(name).close());
			Awaitility.await().untilAsserted(() -> assertThat(keys()).hasSize(1));
			assertThat((Long) this.redis.command("PTTL", keys().get(0))).isBetween(30_000L, 60_000L);
		}
	}

	@Test
	void aFreeLockCostsNoFurtherCommand() {
		try (RedisLockTemplate locks = template(SHOP)) {
			locks.acquire("a").close();
			Awaitility.await().until(() -> !keys().isEmpty());
			// a hold of more than half a second would be written
			assertThat(Stream.generate(() -> this.redis.commandsDuring(() -> acquireAndRelease(locks)).of("evalsha"))
				.limit(3)).contains(2L * CYCLES);
		}
	}

	@Test
	void withoutTheRightToTheKeyHoldersAreUnknown() {
		this.redis.command("ACL", "SETUSER", "shop", "reset", "on", ">pw", "resetchannels", "~lock:{*", "&lock:*",
				"+@all");
		try (RedisLockTemplate locks = new RedisLockTemplate(Applications.of(this.redis, "shop", "pw"), SHOP,
				List.of()); RedisLockTemplate other = template(SHOP)) {
			LockHandle lock = locks.acquire("a");
			String owner = Objects.requireNonNull(other.inspect("a").owner());
			assertThat(other.inspect("a").heldBy()).containsExactly(Holder.unknown(owner));
			lock.close();
		}
	}

	private static void acquireAndRelease(RedisLockTemplate locks) {
		for (int i = 0; i < CYCLES; i++) {
			locks.acquire("a").close();
		}
	}

	private List<String> keys() {
		return this.redis.list("KEYS", "lock:instance:*");
	}

	private RedisLockTemplate template(RedisLockSettings settings) {
		return new RedisLockTemplate(Applications.of(this.redis), settings, List.of());
	}

}
