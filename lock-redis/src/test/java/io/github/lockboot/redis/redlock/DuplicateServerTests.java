package io.github.lockboot.redis.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * One server behind two addresses is no majority.
 */
@Timeout(180)
@ExtendWith(OutputCaptureExtension.class)
class DuplicateServerTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final LockRequest ONCE = LockRequest.of("orders:42").waitTime(Duration.ZERO);

	private static final RedisLockSettings SETTINGS = RedisLockSettings.defaults()
		.withCommandTimeout(Duration.ofSeconds(5));

	@Test
	void stopsTheStartAndReportsBothAddresses() {
		try (Masters masters = Masters.start()) {
			List<String> nodes = List.of(masters.nodes().get(0), masters.nodes().get(1),
					otherAddressOf(masters.get(0)));
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> template(nodes))
				.withMessageContainingAll(nodes.get(0), nodes.get(2), "name each master by one address");
		}
	}

	@Test
	void hasOneVoteAndIsReportedOnceIfItIsReachedLater(CapturedOutput output) {
		try (Masters masters = Masters.start(); RedisServer late = RedisFixture.newServer()) {
			List<String> nodes = new ArrayList<>(masters.nodes());
			nodes.add(late.host() + ":" + late.port());
			nodes.add(otherAddressOf(late));
			late.kill();
			try (RedlockTemplate locks = template(nodes)) {
				late.start();
				Awaitility.await().until(() -> output.getOut().contains("name each master by one address"));
				masters.get(0).kill();
				masters.get(1).kill();
				assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.acquire(ONCE))
					.withMessageContaining("3 have to agree");
				awaitAnotherTry(late);
				assertThat(output.getOut()).containsOnlyOnce("name each master by one address");
			}
		}
	}

	@Test
	void aUserWithoutThePermissionLogsOneWarning(CapturedOutput output) {
		RedisOptions options = RedisOptions.defaults().withUser("shop", "pw", "~lock:*", "&*", "+@all", "-info");
		try (Masters masters = new Masters(Stream.generate(() -> RedisFixture.newServer(options)).limit(3).toList());
				RedlockTemplate locks = new RedlockTemplate(Applications.of(masters.get(0), "shop", "pw"),
						masters.nodes(), SETTINGS, List.of())) {
			locks.acquire(ONCE.waitTime(LONG)).close();
			assertThat(output.getOut()).containsOnlyOnce("'+info'");
		}
	}

	private static RedlockTemplate template(List<String> nodes) {
		return new RedlockTemplate(Applications.at("127.0.0.1", 1), nodes, SETTINGS, List.of());
	}

	private static String otherAddressOf(RedisServer server) {
		return "localhost:" + server.port();
	}

	private static void awaitAnotherTry(RedisServer server) {
		long connections = server.commandStats().of("hello");
		Awaitility.await()
			.atMost(LONG.multipliedBy(2))
			.until(() -> server.commandStats().of("hello") > connections + 1);
	}

}
