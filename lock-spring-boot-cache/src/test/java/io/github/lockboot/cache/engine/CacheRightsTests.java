package io.github.lockboot.cache.engine;

import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the cache needs of a server: few permissions, and an eviction policy.
 */
@DependsOnRedisVersion
@Timeout(90)
class CacheRightsTests {

	private static final String[] DOCUMENTED = ("~cache:* resetchannels &cache:* -@all +eval +evalsha +get +set +del +exists"
			+ " +pexpire +pttl +sadd +smembers +time +publish +subscribe +zadd +zcount +zrange")
		.split(" ");

	@Test
	void theDocumentedPermissionsAreSufficient() throws Exception {
		try (RedisServer redis = RedisFixture.newServer(RedisOptions.defaults().withUser("app", "secret", DOCUMENTED));
				CacheFixture fixture = new CacheFixture(Applications.of(redis, "app", "secret"))) {
			loadEvictAndPut(fixture);
		}
	}

	@Test
	void theDocumentedPermissionsAreSufficientOnACluster() throws Exception {
		String[] rights = Stream.concat(Stream.of(DOCUMENTED), Stream.of("+cluster|nodes", "+info", "+asking"))
			.toArray(String[]::new);
		try (RedisCluster cluster = RedisFixture.newCluster(2, 0,
				RedisOptions.defaults().withUser("app", "secret", rights))) {
			RedisClusterConfiguration servers = new RedisClusterConfiguration(cluster.nodes());
			servers.setUsername("app");
			servers.setPassword("secret");
			try (CacheFixture fixture = new CacheFixture(new LettuceConnectionFactory(servers))) {
				loadEvictAndPut(fixture);
			}
		}
	}

	@Test
	void aUserWithoutPermissionToSubscribePolls() throws Exception {
		String[] rights = "~cache:* resetchannels -@all +@read +@write +eval +evalsha +time".split(" ");
		try (RedisServer redis = RedisFixture.newServer(RedisOptions.defaults().withUser("app", "secret", rights));
				CacheFixture fixture = new CacheFixture(Applications.of(redis, "app", "secret"))) {
			assertThat(waitForAnother(fixture, fixture.template(), fixture.template())).isEqualTo("loaded");
		}
	}

	@ParameterizedTest
	@CsvSource({ "volatile-ttl, true", "allkeys-random, true", "allkeys-lru, false" })
	void aPolicyThatEvictsLeasesLogsAWarning(String policy, boolean evictsLeases) {
		try (RedisServer redis = RedisFixture
			.newServer(RedisOptions.defaults().with("maxmemory", "100mb").with("maxmemory-policy", policy));
				CapturedLog log = new CapturedLog();
				CacheFixture fixture = new CacheFixture(redis)) {
			// its reply arrives after that of the query for the policy
			fixture.warmTemplate();
			Awaitility.await()
				.untilAsserted(() -> assertThat(log.lines("Redis evicts keys")).hasSize(evictsLeases ? 1 : 0)
					.allMatch((line) -> line.contains(policy) && line.contains("the lease of a load")));
		}
	}

	private static void loadEvictAndPut(CacheFixture fixture) {
		CacheTemplate cache = fixture.template();
		assertThat(waitForAnother(fixture, cache, fixture.template())).isEqualTo("loaded");
		cache.evict("product", 42);
		assertThat(cache.get(PRODUCT, 42, fixture::load)).isEqualTo("value 1");
		cache.evict(CacheEviction.ofTags("product", "tag"));
		cache.clear("product");
		assertThat(cache.get(PRODUCT, 42, fixture::load)).isEqualTo("value 2");
		cache.put(PRODUCT, 42, "put");
		assertThat(cache.get(PRODUCT, 42, fixture::load)).isEqualTo("put");
		assertThat(fixture.count(CacheEvent.REDIS_FAILED)).isZero();
	}

	private static String waitForAnother(CacheFixture fixture, CacheTemplate first, CacheTemplate second) {
		try (HeldLoad held = new HeldLoad("loaded")) {
			Future<String> loading = fixture.async(() -> first.get(PRODUCT, 42, held));
			held.awaitStart();
			Future<String> waiting = fixture.async(() -> second.get(PRODUCT, 42, () -> "not alone"));
			Waiters.await(1);
			held.release();
			assertThat(CacheFixture.join(loading)).isEqualTo("loaded");
			return CacheFixture.join(waiting);
		}
	}

}
