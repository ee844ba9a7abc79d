package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.SteppedClock;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisSentinels;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Templates that are created while Redis is unreachable.
 */
@Timeout(120)
class RedisStartupTests {

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(60));

	private static final LockRequest ONCE = REQUEST.waitTime(Duration.ZERO);

	private static final RedisLockSettings SETTINGS = RedisLockSettings.defaults()
		.withCommandTimeout(Duration.ofSeconds(5));

	@Test
	void locksFailWithTheReasonUntilRedisIsReachable() {
		try (RedisServer redis = RedisFixture.newServer(); CapturedLog log = new CapturedLog()) {
			redis.kill();
			try (RedisLockTemplate locks = template(Applications.of(redis))) {
				assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.acquire(ONCE))
					.withMessageContainingAll("lock.redis.startup=retry", "127.0.0.1");
				assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.inspect("orders:42"));
				redis.start();
				locks.acquire(REQUEST).close();
				Awaitility.await().until(() -> RedisConnections.channels(redis).size() == 1);
				assertThat(log.lines("lock.redis.startup=retry")).singleElement().asString().startsWith("WARN");
				Awaitility.await().until(() -> log.lines("INFO Connected to Redis").size() == 1);
			}
		}
	}

	@Test
	void aUserWithoutPermissionsLogsAWarningAndCanLockOnceItHasThem() {
		try (RedisServer redis = RedisFixture.newServer(); CapturedLog log = new CapturedLog()) {
			redis.command("ACL", "SETUSER", "shop", "on", ">pw", "~lock:*", "&*", "+@all", "-set");
			try (RedisLockTemplate locks = template(Applications.of(redis, "shop", "pw"))) {
				assertThat(log.lines("WARN")).singleElement().asString().contains("NOPERM");
				assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.acquire(ONCE))
					.withMessageContaining("NOPERM");
				redis.command("ACL", "SETUSER", "shop", "+set");
				locks.acquire(REQUEST).close();
			}
		}
	}

	/** No time heals them. */
	@Test
	void rejectedCredentialsStillStopTheStart() {
		try (RedisServer redis = RedisFixture.newServer()) {
			redis.command("ACL", "SETUSER", "shop", "on", ">pw", "~*", "&*", "+@all");
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> template(Applications.of(redis, "shop", "wrong")).close())
				.withMessageContaining("WRONGPASS");
			redis.command("CONFIG", "SET", "requirepass", "pw");
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> template(Applications.of(redis)).close())
				.withMessageContaining("NOAUTH");
		}
	}

	@Test
	void credentialsThatAClusterRejectsStillStopTheStart() {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0)) {
			cluster.servers().forEach((server) -> server.command("CONFIG", "SET", "requirepass", "pw"));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> template(Applications.of(cluster)).close())
				.withStackTraceContaining("NOAUTH");
		}
	}

	@Test
	void aTemplateThatNeverReachedRedisCanBeClosed() {
		try (RedisServer redis = RedisFixture.newServer()) {
			redis.kill();
			RedisLockTemplate locks = template(Applications.of(redis));
			CompletableFuture<LockHandle> waiting = locks.acquireAsync(REQUEST).toCompletableFuture();
			locks.close();
			Awaitility.await().until(waiting::isCompletedExceptionally);
			redis.start();
			assertThat(redis.commandStats().of("evalsha")).isZero();
		}
	}

	/** The JVM is slow, and not Redis. */
	@Test
	void aCallWaitsForTheFirstConnectionLongerThanForAReply() {
		SteppedClock clock = new SteppedClock();
		CompletableFuture<Void> slowness = new CompletableFuture<>();
		try (RedisServer redis = RedisFixture.newServer()) {
			ConnectionSettings application = ConnectionSettings.of(Applications.of(redis));
			try (RedisLockStore store = new RedisLockStore("Redis", "jvm", (name, timeout, scripts) -> {
				slowness.join();
				return Connections.forLocks(application).connectForLocks(name, timeout, scripts);
			}, clock, SETTINGS, null)) {
				store.connection().begin();
				CompletableFuture<AcquireReply> reply = store
					.acquire(new LockAttempt("a", "jvm:1", 30_000, 1), 0, Queueing.NO, 0)
					.toCompletableFuture();
				clock.advance(Duration.ofMinutes(1));
				assertThat(reply).isNotDone();
				slowness.complete(null);
				assertThat(reply.join()).isInstanceOf(AcquireReply.Owned.class);
			}
		}
	}

	@Test
	void aClusterIsUsedOnceItIsReachable() {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0)) {
			assertIsUsedOnceReachable(Applications.of(cluster), cluster.servers());
		}
	}

	@Test
	void aMasterIsUsedOnceItsSentinelsAreReachable() {
		try (RedisSentinels sentinels = RedisFixture.newSentinels(1, 1)) {
			RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(sentinels.masterName());
			sentinels.sentinels().forEach((each) -> configuration.sentinel(each.host(), each.port()));
			assertIsUsedOnceReachable(new LettuceConnectionFactory(configuration), sentinels.sentinels());
		}
	}

	private static void assertIsUsedOnceReachable(LettuceConnectionFactory application, List<RedisServer> servers) {
		servers.forEach(RedisServer::kill);
		try (RedisLockTemplate locks = template(application)) {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.acquire(ONCE))
				.withMessageContaining("lock.redis.startup=retry");
			servers.forEach(RedisServer::start);
			locks.acquire(REQUEST).close();
		}
	}

	private static RedisLockTemplate template(LettuceConnectionFactory application) {
		return new RedisLockTemplate(application, SETTINGS.withStartup(RedisLockSettings.Startup.RETRY), List.of());
	}

}
