package io.github.lockboot.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;

import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.actuate.LockHealthIndicator;
import io.github.lockboot.engine.SteppedClock;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The first connection to an ensemble.
 */
@Tag("long")
@Timeout(60)
class ConnectingTests {

	private final TestEnsemble ensemble = TestEnsemble.single();

	/** Each instance tries the servers in another order. */
	@Test
	void aSilentServerDoesNotStopTheStartWhileAnotherOneReplies() throws IOException {
		ExecutorService threads = Executors.newCachedThreadPool();
		try (ServerSocket silent = silentServer()) {
			ZookeeperLockSettings settings = ZookeeperLockSettings
				.of("127.0.0.1:" + silent.getLocalPort() + "," + this.ensemble.connectString())
				.withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(4));
			List<CompletableFuture<Void>> starts = Stream
				.generate(() -> CompletableFuture.runAsync(() -> new ZookeeperLockTemplate(settings, List.of()).close(),
						threads))
				.limit(6)
				.toList();
			assertThat(starts).allSatisfy((start) -> assertThat(start).succeedsWithin(Duration.ofSeconds(30)));
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void anEnsembleThatTakesLongForASessionIsReachedAtTheStartAndAfterACut() {
		try (RedisProxy network = new RedisProxy(this.ensemble.leader())) {
			String three = String.join(",", Collections.nCopies(3, network.address()));
			ZookeeperLockSettings settings = ZookeeperLockSettings.of(three)
				.withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(10));
			new ZookeeperLockTemplate(settings, List.of()).close(); // creates the root
			network.delayAnswers(Duration.ofMillis(3600));
			try (ZookeeperLockTemplate locks = new ZookeeperLockTemplate(settings, List.of())) {
				network.delayAnswers(Duration.ZERO);
				LockHandle held = locks.acquire(LockRequest.of("slow:" + UUID.randomUUID()));
				network.delayAnswers(Duration.ofMillis(3600));
				network.cut();
				Awaitility.await().until(() -> !locks.connection().containsValue("CONNECTED"));
				Awaitility.await().until(() -> locks.connection().containsValue("CONNECTED"));
				network.delayAnswers(Duration.ZERO);
				Awaitility.await().during(Duration.ofSeconds(15)).atMost(Duration.ofSeconds(20)).until(held::isHeld);
			}
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			127.0.0.1:1               | 127.0.0.1:1 can't be connected (lock.zookeeper.connect-string)
			no.such.host.invalid:2181 | no.such.host.invalid:2181 is an unknown host (lock.zookeeper.connect-string)
			silent                    | the server and lock.zookeeper.client-properties may differ in TLS
			""")
	void theMessageOfAFailedStartNamesTheServerAndTheProperty(String server, String message) throws IOException {
		try (ServerSocket silent = silentServer()) {
			ZookeeperLockSettings settings = ZookeeperLockSettings
				.of(server.equals("silent") ? "127.0.0.1:" + silent.getLocalPort() : server)
				.withTimeouts(Duration.ofSeconds(30), Duration.ofMillis(300));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> new ZookeeperLockTemplate(settings, List.of()))
				.withMessageContainingAll("did not reply within 300 ms (lock.zookeeper.connection-timeout)", message);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void healthCallsTheLogAndTheStartNameAServerInReadOnlyMode(CapturedOutput output) {
		String cure = "is in read-only mode, in which no lock can be acquired";
		try (TestEnsemble three = TestEnsemble.started(3, List.of(), "-Dreadonlymode.enabled=true")) {
			ZookeeperLockSettings settings = ZookeeperLockSettings.of(three.connectString())
				.withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(4));
			try (ZookeeperLockTemplate locks = new ZookeeperLockTemplate(settings, List.of())) {
				three.servers().stream().skip(1).forEach(EnsembleServer::kill);
				LockHealthIndicator health = new LockHealthIndicator(locks);
				Awaitility.await()
					.untilAsserted(
							() -> assertThat(String.valueOf(health.health().getDetails().get("error"))).contains(cure));
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> locks.acquire(LockRequest.of("a").waitTime(Duration.ZERO)))
					.withMessageContaining(cure);
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> new ZookeeperLockTemplate(settings, List.of()))
					.withMessageContaining(cure);
				assertThat(output).contains("has been unreachable for the locks");
				three.servers().forEach(EnsembleServer::start);
				Awaitility.await().until(() -> health.health().getStatus() == Status.UP);
			}
		}
	}

	@Test
	void theMessageOfALoginThatTheClientRefusesNamesTheProperty() {
		Configuration former = Configuration.getConfiguration();
		Configuration.setConfiguration(new DigestLogin());
		try {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> new ZookeeperLockTemplate(TestStores.settings(), List.of()))
				.withMessageContaining("[zookeeper.fips-mode]=false");
		}
		finally {
			Configuration.setConfiguration(former);
		}
	}

	@Test
	void aRefusedStartIsNotRetriedInTheBackground() {
		SteppedClock clock = new SteppedClock();
		ZookeeperLockSettings settings = TestStores.settings().withRoot("/zookeeper/config/locks");
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> ZookeeperLockStore.connect(settings, clock));
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> clock.pending() == 0);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aSessionThatMayBeShorterThanFourTicksIsWarnedOf(CapturedOutput output) {
		new ZookeeperLockTemplate(TestStores.settings(), List.of()).close();
		assertThat(output.getOut()).contains("session-timeout is 4000 ms").contains("at least 4 ticks");
	}

	/** Accepts connections, as the kernel of a server that is frozen does. */
	private static ServerSocket silentServer() throws IOException {
		return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	private static final class DigestLogin extends Configuration {

		@Override
		public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
			return new AppConfigurationEntry[] { new AppConfigurationEntry(DigestLoginModule.class.getName(),
					LoginModuleControlFlag.REQUIRED, Map.of("username", "shop", "password", "secret")) };
		}

	}

}
