package io.github.lockboot.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The server of a client is silent, as after a power cut or in a partition, while a
 * majority lives.
 */
@Timeout(60)
@Tag("long")
class SilentServerTests {

	/** Others by hand: -Dlockboot.zookeeper.session=30. */
	private static final Duration SESSION = Duration.ofSeconds(Integer.getInteger("lockboot.zookeeper.session", 12));

	private static final Duration LEASE = ZookeeperLockSettings.leaseTime(SESSION);

	private final TestEnsemble ensemble = TestEnsemble.shared();

	private final String name = "silent:" + UUID.randomUUID();

	private final ZookeeperLockSettings settings = ZookeeperLockSettings
		.of(this.ensemble.followers().stream().map(EnsembleServer::address).collect(Collectors.joining(",")))
		.withTimeouts(SESSION, Duration.ofSeconds(5));

	private final SystemClock clock = new SystemClock("lock-timer");

	private final ZookeeperLockStore store = ZookeeperLockStore.connect(this.settings, this.clock);

	private final LockTemplate locks = new LockTemplate(this.store, this.clock, this.settings.lockDefaults(),
			List.of());

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
	void aServerThatFallsSilentBeforeAHeartbeatCostsNoLock() {
		LockHandle hold = this.locks.acquire(LockRequest.of(this.name));
		Session session = this.store.ensemble().session();
		long proven = session.provenNanos();
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> session.provenNanos() != proven);
		// the next renewal has begun, whenever it is due, and waits for others
		Duration begun = LEASE.multipliedBy(2).dividedBy(7);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.until(() -> System.nanoTime() - session.provenNanos() >= begun.toNanos());
		this.locks.inspect(this.name); // the server replies until now
		server().freeze();
		Awaitility.await().during(LEASE.plusSeconds(1)).atMost(LEASE.plusSeconds(10)).until(hold::isHeld);
		hold.close();
	}

	/** A connection to a server that replies again is restored at once. */
	@Test
	void aLockIsKeptIfTheConnectionIsRestoredShortlyBeforeTheEndOfItsLease() {
		EnsembleServer only = TestEnsemble.single().leader();
		try (ZookeeperLockTemplate patient = new ZookeeperLockTemplate(
				ZookeeperLockSettings.of(only.address()).withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(10)),
				List.of()); LockHandle hold = patient.acquire(LockRequest.of(this.name))) {
			only.freeze();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.atMost(Duration.ofSeconds(15))
				.until(() -> hold.remainingLease().toMillis() < 700);
			only.thaw();
			Awaitility.await().during(Duration.ofSeconds(2)).until(hold::isHeld);
		}
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
		String address = String.valueOf(this.store.describe().get("server"));
		return this.ensemble.servers()
			.stream()
			.filter((server) -> address.endsWith(":" + server.port()))
			.findFirst()
			.orElseThrow();
	}

}
