package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RedisTest
class RedisLockTemplateTests {

	private static final LockRequest ONCE = LockRequest.of("orders:42").waitTime(Duration.ZERO);

	/** Short, but longer than a busy machine may pause. */
	private static final Duration LEASE = Duration.ofSeconds(3);

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
	void tokensGrowFromTemplateToTemplate() {
		List<Long> tokens = new ArrayList<>();
		RedisLockTemplate other = template(RedisLockSettings.defaults());
		for (int i = 0; i < 10; i++) {
			for (RedisLockTemplate template : List.of(this.locks, other)) {
				try (LockHandle lock = template.acquire(ONCE)) {
					tokens.add(lock.fencingToken());
				}
			}
		}
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
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

	@Test
	void aKeyWithoutExpiryIsNeverAcquired() {
		this.redis.command("SET", "lock:{orders:42}", "legacy");
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.locks.acquire(ONCE.waitTime(Duration.ofMillis(100))));
		assertThat(this.redis.command("GET", "lock:{orders:42}")).isEqualTo("legacy");
	}

	@Test
	void flushedScriptsAffectNothing() {
		this.redis.command("SCRIPT", "FLUSH");
		LockHandle lock = this.locks.acquire(ONCE.leaseTime(LEASE));
		this.redis.command("SCRIPT", "FLUSH");
		Object before = this.redis.command("GET", "lock:{orders:42}:f");
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.redis.command("GET", "lock:{orders:42}:f")).isNotEqualTo(before));
		assertThat(lock.isHeld()).isTrue();
		this.redis.command("SCRIPT", "FLUSH");
		lock.close();
		assertThat(this.redis.command("EXISTS", "lock:{orders:42}")).isEqualTo(0L);
	}

	// ---- commands

	@Test
	void scriptsAreLoadedOnConnect() {
		this.redis.command("SCRIPT", "FLUSH");
		RedisLockTemplate fresh = template(RedisLockSettings.defaults());
		assertThat(during(() -> fresh.acquire(ONCE).close())).doesNotContainKey("eval");
	}

	@Test
	void flushedScriptsAreLoadedTogetherAndTheCallIsRepeated() {
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(during(() -> this.locks.acquire(ONCE).close())).containsEntry("evalsha", 3L)
			.containsEntry("script|load", (long) LockScripts.ALL.size())
			.doesNotContainKey("eval");
	}

	@Test
	void tryingALockThatThisTemplateHoldsSendsNothing() {
		try (LockHandle lock = this.locks.acquire(ONCE)) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(during(() -> assertThat(this.locks.tryAcquire(ONCE)).isNull())).isEmpty();
		}
	}

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

	/** Counts once the templates have subscribed, which they do in the background. */
	private Map<String, Long> during(Runnable work) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.redis.command("PUBSUB", "CHANNELS", "*inbox:*"))
				.asInstanceOf(InstanceOfAssertFactories.LIST)
				.hasSameSizeAs(this.templates));
		CommandCounts counts = this.redis.commandsDuring(work);
		return counts.calls();
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
