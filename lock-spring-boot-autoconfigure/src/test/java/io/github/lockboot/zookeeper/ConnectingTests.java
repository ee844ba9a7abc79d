package io.github.lockboot.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first connection to an ensemble.
 */
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

	/** Accepts connections, as the kernel of a server that is frozen does. */
	private static ServerSocket silentServer() throws IOException {
		return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

}
