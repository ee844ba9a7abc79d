package io.github.lockboot.cache.redis;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning is logged for a Redis whose policy evicts leases first.
 */
@Timeout(90)
class CacheEvictionPolicyTests {

	private static final String WARNING = "Redis evicts keys";

	@ParameterizedTest
	@ValueSource(strings = { "volatile-ttl", "allkeys-random" })
	void policyThatEvictsLeasesLogsAWarning(String policy) {
		try (RedisServer redis = server(policy);
				CapturedLog log = new CapturedLog();
				CacheFixture fixture = new CacheFixture(redis)) {
			fixture.warmTemplate();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(log.lines(WARNING)).singleElement()
					.asString()
					.contains(policy)
					.contains("the lease of a load"));
		}
	}

	@Test
	void recommendedPolicyLogsNothing() {
		try (RedisServer redis = server("allkeys-lru");
				CapturedLog log = new CapturedLog();
				CacheFixture fixture = new CacheFixture(redis)) {
			// its reply arrives after that of the query for the policy
			fixture.warmTemplate();
			assertThat(log.lines(WARNING)).isEmpty();
		}
	}

	private static RedisServer server(String policy) {
		return RedisFixture
			.newServer(RedisOptions.defaults().with("maxmemory", "100mb").with("maxmemory-policy", policy));
	}

}
