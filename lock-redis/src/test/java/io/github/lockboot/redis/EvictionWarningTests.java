package io.github.lockboot.redis;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning is logged for a Redis that may evict locks.
 */
@Timeout(90)
class EvictionWarningTests {

	private static final String WARNING = "Redis evicts keys";

	@ParameterizedTest
	@ValueSource(strings = { "allkeys-lru", "volatile-ttl", "volatile-random" })
	void evictingServerLogsAWarningAtTheStart(String policy) {
		try (RedisServer redis = server("100mb", policy);
				CapturedLog log = new CapturedLog();
				RedisLockTemplate locks = RedisConnections.template(Applications.of(redis))) {
			locks.acquire("a").close();
			awaitWarning(log, policy);
		}
	}

	@ParameterizedTest
	@CsvSource({ "0, allkeys-lru", "100mb, noeviction" })
	void serverWithoutEvictionLogsNothing(String limit, String policy) {
		try (RedisServer redis = server(limit, policy);
				CapturedLog log = new CapturedLog();
				RedisLockTemplate locks = RedisConnections.template(Applications.of(redis))) {
			// its reply arrives after that of the query for the policy
			locks.acquire("a").close();
			assertThat(log.lines(WARNING)).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "a lost lock", "a release", "a subscription" })
	void changedPolicyLogsAWarningWhenALockIsMissingOrASubscriptionReopens(String event) {
		try (RedisServer redis = server("100mb", "noeviction");
				CapturedLog log = new CapturedLog();
				RedisLockTemplate locks = RedisConnections.template(Applications.of(redis))) {
			LockHandle held = locks.acquire(LockRequest.of("a").leaseTime(Duration.ofSeconds(3)));
			redis.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
			locks.acquire("b").close(); // after the replies to earlier queries
			if (event.equals("a subscription")) {
				redis.command("CLIENT", "KILL", "TYPE", "pubsub");
			}
			else {
				redis.command("DEL", "lock:{a}");
			}
			if (event.equals("a release")) {
				held.close();
			}
			awaitWarning(log, "volatile-lru");
		}
	}

	@Test
	void eachMasterOfAClusterIsChecked() {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0)) {
			RedisServer last = cluster.masters().get(2);
			last.command("CONFIG", "SET", "maxmemory", "100mb");
			last.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
			try (CapturedLog log = new CapturedLog();
					RedisLockTemplate locks = RedisConnections.template(Applications.of(cluster))) {
				locks.acquire("a").close();
				awaitWarning(log, "allkeys-lfu");
			}
		}
	}

	private static RedisServer server(String limit, String policy) {
		return RedisFixture
			.newServer(RedisOptions.defaults().with("maxmemory", limit).with("maxmemory-policy", policy));
	}

	private static void awaitWarning(CapturedLog log, String policy) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(log.lines(WARNING)).singleElement().asString().contains(policy));
	}

}
