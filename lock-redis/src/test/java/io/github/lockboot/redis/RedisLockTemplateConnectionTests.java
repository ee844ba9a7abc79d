package io.github.lockboot.redis;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Creation of a template. Each failure must occur within the timeout of a test and leave
 * no thread.
 */
@Timeout(20)
@ExtendWith(OutputCaptureExtension.class)
class RedisLockTemplateConnectionTests {

	private static final RedisLockSettings QUICK = RedisLockSettings.defaults()
		.withCommandTimeout(Duration.ofSeconds(2));

	private Set<Thread> threadsBefore = Set.of();

	@BeforeEach
	void rememberThreads() {
		this.threadsBefore = threads();
	}

	@AfterEach
	void leavesNoThread() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(
					threads().stream().filter((thread) -> !this.threadsBefore.contains(thread)).map(Thread::getName))
				.isEmpty());
	}

	@Test
	void aClosedTemplateLeavesNoThread() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate locks = template(Applications.of(redis))) {
			locks.acquire("a").close();
			assertThat(threads()).isNotEqualTo(this.threadsBefore);
		}
	}

	@Test
	void anApplicationHasTwoConnectionsForItsLocks() {
		try (RedisServer redis = RedisFixture.newServer()) {
			awaitConnections(redis, 0);
			try (RedisLockTemplate locks = template(Applications.of(redis))) {
				locks.acquire("a").close();
				awaitConnections(redis, 2);
			}
		}
	}

	private static void awaitConnections(RedisServer redis, int count) {
		String withTheOneThatAsks = String.valueOf(count + 1);
		Awaitility.await()
			.untilAsserted(() -> assertThat(redis.info("clients", "connected_clients")).isEqualTo(withTheOneThatAsks));
	}

	/** As by the thread of a first lock that is late. */
	@Test
	void aClosedStoreOpensNoConnectionForPushes(CapturedOutput output) {
		try (RedisServer redis = RedisFixture.newServer(); SystemClock clock = new SystemClock("test")) {
			RedisLockStore store = (RedisLockStore) RedisConnections.store(redis, clock);
			CompletableFuture<Void> missed = new CompletableFuture<>();
			LockPushes pushes = (LockPushes) Proxy.newProxyInstance(LockPushes.class.getClassLoader(),
					new Class<?>[] { LockPushes.class }, (proxy, method, args) -> missed.complete(null));
			store.close();
			store.listen(pushes);
			assertThat(missed).isNotDone();
			assertThat(output).doesNotContain("Exception");
		}
	}

	@Test
	void noServerListens() throws IOException {
		int port;
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		assertFails(Applications.at("127.0.0.1", port), "127.0.0.1", String.valueOf(port), "refused");
	}

	@Test
	void theHostHasNoAddress() {
		assertFails(Applications.at("no-such-host.invalid", 6379), "no-such-host.invalid");
	}

	@Test
	void theServerAcceptsAndSendsNothing() {
		try (RedisServer redis = RedisFixture.newServer()) {
			redis.freeze();
			assertFails(Applications.of(redis), String.valueOf(redis.port()));
		}
	}

	@Test
	void thePasswordIsWrong() {
		try (RedisServer redis = RedisFixture.newServer(RedisOptions.defaults().withPassword("secret"))) {
			assertThat(assertFails(Applications.of(redis, "default", "guess"), "WRONGPASS"))
				.hasMessageNotContaining("guess");
		}
	}

	private static LockUnavailableException assertFails(RedisConnectionFactory application, String... words) {
		LockUnavailableException failure = catchThrowableOfType(LockUnavailableException.class,
				() -> template(application));
		assertThat(failure.getMessage()).contains(words);
		assertThat(failure).hasCauseInstanceOf(io.lettuce.core.RedisConnectionException.class);
		return failure;
	}

	private static RedisLockTemplate template(RedisConnectionFactory application) {
		return new RedisLockTemplate(application, QUICK, List.of());
	}

	/**
	 * All threads except those that Netty and the JDK share in a JVM, which end by
	 * themselves.
	 */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().matches("(?i).*(lettuce|lock-|netty).*"))
			.collect(Collectors.toSet());
	}

}
