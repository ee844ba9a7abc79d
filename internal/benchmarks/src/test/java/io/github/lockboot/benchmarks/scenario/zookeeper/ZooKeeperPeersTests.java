package io.github.lockboot.benchmarks.scenario.zookeeper;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.peer.ZooKeeperKind;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each peer really locks: otherwise its benchmarks would be worthless.
 */
class ZooKeeperPeersTests {

	@ParameterizedTest
	@EnumSource
	void anotherInstanceAcquiresTheLockOnlyAfterItsRelease(ZooKeeperKind kind)
			throws InterruptedException, ExecutionException, TimeoutException {
		EnsembleServer server = TestEnsemble.single().servers().get(0);
		String address = ZooKeeperKind.SCHEME + server.address();
		AtomicBoolean released = new AtomicBoolean();
		try (Peer holder = kind.open(address); Peer other = kind.open(address)) {
			Runnable release = holder.acquire(kind.name());
			CompletableFuture<Boolean> seen = CompletableFuture.supplyAsync(() -> {
				Runnable second = other.acquire(kind.name());
				boolean late = released.get();
				second.run();
				return late;
			});
			Awaitility.await("the other one waits")
				.until(() -> server.query("wchp")
					.lines()
					.anyMatch((path) -> path.contains("/lock:" + kind.name() + "/")
							|| path.contains("/" + kind.name() + "/")));
			released.set(true);
			release.run();
			assertThat(seen.get(30, TimeUnit.SECONDS)).isTrue();
		}
	}

}
