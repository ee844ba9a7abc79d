package io.github.lockboot.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The server of a client is silent, as after a power cut or in a partition, while a
 * majority lives.
 */
@Timeout(60)
class SilentServerTests {

	private static final Duration SESSION = Duration.ofSeconds(12);

	private static final Duration LEASE = ZookeeperLockSettings.leaseTime(SESSION);

	private final TestEnsemble ensemble = TestEnsemble.shared();

	private final String name = "silent:" + UUID.randomUUID();

	private final ZookeeperLockTemplate locks = new ZookeeperLockTemplate(ZookeeperLockSettings
		.of(this.ensemble.followers().stream().map(EnsembleServer::address).collect(Collectors.joining(",")))
		.withTimeouts(SESSION, Duration.ofSeconds(5)), List.of());

	@AfterEach
	void close() {
		this.ensemble.servers().forEach(EnsembleServer::thaw);
		this.locks.close();
	}

	@Test
	void aSilentServerCostsNoLock() {
		List<LockHandle> holds = IntStream.range(0, 20)
			.mapToObj((number) -> this.locks.acquire(LockRequest.of(this.name + number)))
			.toList();
		server().freeze();
		Awaitility.await()
			.during(LEASE.plusSeconds(1))
			.atMost(LEASE.plusSeconds(10))
			.until(() -> holds.stream().allMatch(LockHandle::isHeld));
		holds.forEach(LockHandle::close);
	}

	@Test
	void aClientWithoutLocksLeavesASilentServerAfterOneCall() {
		EnsembleServer silent = server();
		silent.freeze();
		LockHandle hold = this.locks.acquire(LockRequest.of(this.name).waitTime(LEASE));
		assertThat(server()).isNotSameAs(silent);
		hold.close();
	}

	private EnsembleServer server() {
		String address = String.valueOf(this.locks.connection().get("server"));
		return this.ensemble.servers()
			.stream()
			.filter((server) -> address.endsWith(":" + server.port()))
			.findFirst()
			.orElseThrow();
	}

}
