package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class RedisLockTemplateTests {

	private static final LockRequest ONCE = LockRequest.of("orders:42").waitTime(Duration.ZERO);

	private final RedisServer redis;

	private final List<RedisLockTemplate> templates = new ArrayList<>();

	private final RedisLockTemplate locks;

	RedisLockTemplateTests(RedisServer redis) {
		this.redis = redis;
		this.locks = template(RedisLockSettings.defaults());
	}

	@AfterEach
	void close() {
		this.templates.forEach(RedisLockTemplate::close);
	}

	@Test
	void aHeldLockIsAStringWithAnExpiryUnderItsPlainName() {
		try (LockHandle lock = this.locks.acquire("orders:42")) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(this.redis.command("GET", "lock:{orders:42}")).asString().isNotEmpty();
			assertThat(this.redis.command("PTTL", "lock:{orders:42}")).asString().matches("2\\d{4}|30000");
		}
		assertThat(this.redis.command("EXISTS", "lock:{orders:42}")).isEqualTo(0L);
	}

	@Test
	void aReaderHasNoLowerTokenThanAWriterWhoseTokenHasExpired() {
		this.locks.acquire(ONCE).close();
		RedisLockTemplate other = template(RedisLockSettings.defaults());
		LockHandle writer = other.acquire(ONCE);
		writer.close();
		this.redis.command("DEL", "lock:{orders:42}:f");
		assertThat(this.locks.acquire(ONCE.shared()).fencingToken()).isGreaterThan(writer.fencingToken());
	}

	@Test
	void locksOfDifferentPrefixesAreIndependent() {
		RedisLockTemplate other = template(RedisLockSettings.defaults().withKeyPrefix("other:"));
		try (LockHandle lock = this.locks.acquire(ONCE); LockHandle another = other.acquire(ONCE)) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(another.isHeld()).isTrue();
			assertThat(this.redis.command("EXISTS", "lock:{orders:42}", "other:{orders:42}")).isEqualTo(2L);
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.lockboot.redis.LockKeysTests#oddNames")
	void anyNameIsAcquiredAndReleased(String name) {
		LockRequest request = LockRequest.of(name).waitTime(Duration.ZERO);
		RedisLockTemplate other = template(RedisLockSettings.defaults());
		try (LockHandle lock = this.locks.acquire(request)) {
			assertThat(lock.name()).isEqualTo(name);
			assertThat(other.tryAcquire(request)).isNull();
		}
		assertThat(this.redis.command("EXISTS", new LockKeys("lock:").of(name)[0])).isEqualTo(0L);
	}

	// ---- commands

	@Test
	void anApplicationHasTwoConnectionsForItsLocks() {
		try (RedisServer server = RedisFixture.newServer()) {
			awaitConnections(server, 0);
			try (RedisLockTemplate fresh = new RedisLockTemplate(Applications.of(server), RedisLockSettings.defaults(),
					List.of())) {
				fresh.acquire(ONCE).close();
				awaitConnections(server, 2);
			}
		}
	}

	private static void awaitConnections(RedisServer server, int count) {
		String withTheOneThatAsks = String.valueOf(count + 1);
		Awaitility.await()
			.untilAsserted(() -> assertThat(server.info("clients", "connected_clients")).isEqualTo(withTheOneThatAsks));
	}

	/** Waits until its channel is open, so that no late subscription is counted. */
	private RedisLockTemplate template(RedisLockSettings settings, LockListener... listeners) {
		Set<String> before = RedisConnections.channels(this.redis);
		RedisLockTemplate template = new RedisLockTemplate(Applications.of(this.redis), settings, List.of(listeners));
		this.templates.add(template);
		Awaitility.await().until(() -> !before.containsAll(RedisConnections.channels(this.redis)));
		return template;
	}

}
