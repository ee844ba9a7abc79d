package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code CLIENT LIST} shows an operator which application opened the connections.
 */
@DependsOnRedisVersion
class ClientNamesTests {

	private static final RedisLockSettings SHOP = RedisLockSettings.defaults()
		.withLockDefaults(LockDefaults.defaults().withApplication("shop"));

	@Test
	void allConnectionsOfTheLocksAreNamed() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate locks = template(Applications.of(redis))) {
			use(locks);
			assertThat(names(redis)).hasSizeGreaterThanOrEqualTo(2).containsOnly("shop-locks");
		}
	}

	@Test
	void allConnectionsToAClusterAreNamed() {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0);
				RedisLockTemplate locks = template(Applications.of(cluster))) {
			use(locks);
			cluster.masters().forEach((master) -> assertThat(names(master)).contains("shop-locks"));
		}
	}

	@Test
	void aUserWithoutPermissionToNameItsConnectionsCanLock() {
		RedisOptions options = RedisOptions.defaults().withUser("plain", "pw", "~*", "&*", "+@all", "-client");
		try (RedisServer redis = RedisFixture.newServer(options);
				RedisLockTemplate locks = template(Applications.of(redis, "plain", "pw"))) {
			use(locks);
		}
	}

	private static RedisLockTemplate template(LettuceConnectionFactory application) {
		return new RedisLockTemplate(application, SHOP, List.of());
	}

	private static void use(RedisLockTemplate locks) {
		for (int i = 0; i < 20; i++) {
			locks.acquire(LockRequest.of("orders:" + i).waitTime(Duration.ofSeconds(10))).close();
		}
	}

	/** The names of all other connections. */
	private static List<String> names(RedisServer server) {
		return String.valueOf(server.command("CLIENT", "LIST"))
			.lines()
			.filter((line) -> !line.contains("cmd=client"))
			.map((line) -> line.replaceAll(".* name=(\\S*) .*", "$1"))
			.toList();
	}

}
