package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks on a cluster while one of its masters is dead or frozen.
 */
@Timeout(120)
@Tag("long")
class RedisLockTemplateClusterOutageTests {

	private static final Duration LONG = Duration.ofSeconds(40);

	/** Each master has a replica. Each test may break it. */
	private final RedisCluster cluster = RedisFixture.newCluster(3, 1);

	private final RedisLockTemplate locks = RedisConnections.template(Applications.of(this.cluster), 0);

	private final RedisLockTemplate otherLocks = RedisConnections.template(Applications.of(this.cluster), 0);

	private final RedisServer failing = this.cluster.masters().get(0);

	private final RedisServer well = this.cluster.masters().get(1);

	@AfterEach
	void close() {
		this.locks.close();
		this.otherLocks.close();
		this.cluster.close();
	}

	@Test
	void aHoldOfAKilledMasterIsRenewedAtItsReplica() {
		LockRequest request = on(this.failing);
		try (LockHandle held = this.locks.acquire(request)) {
			this.failing.awaitReplicas(1);
			this.failing.kill();
			this.cluster.awaitHealthy();
			RedisServer promoted = this.cluster.masterOf(request.name());
			Awaitility.await().atMost(LONG).until(() -> promoted.commandStats().of("pexpire") > 0);
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void aFrozenMasterDelaysNoLockOfAnother() {
		LockRequest lively = on(this.well);
		LockRequest stuck = on(this.failing);
		// otherwise the servers reject all commands while some slots are not served
		this.cluster.servers().forEach((node) -> node.command("CONFIG", "SET", "cluster-require-full-coverage", "no"));
		LockHandle held = this.locks.acquire(on(this.cluster.masters().get(2)).leaseTime(Duration.ofSeconds(9)));
		this.failing.freeze();
		CompletableFuture<LockHandle> blocked = this.locks.acquireAsync(stuck).toCompletableFuture();
		for (int i = 0; i < 50; i++) {
			// a call to the frozen server would fail
			this.locks.acquire(lively.waitTime(Duration.ZERO)).close();
			LockHandle first = this.locks.acquire(lively);
			CompletableFuture<LockHandle> second = this.otherLocks.acquireAsync(lively).toCompletableFuture();
			first.close();
			second.join().close();
		}
		Awaitility.await().atMost(LONG).during(Duration.ofSeconds(10)).until(held::isHeld);
		held.close();
		blocked.join().close();
		this.failing.thaw();
	}

	@Test
	void aHoldEndsAndAWaiterContinuesWhenHalfOfTheClusterWasAway() {
		LockRequest request = on(this.well).leaseTime(Duration.ofSeconds(3));
		LockHandle held = this.locks.acquire(request);
		CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(request).toCompletableFuture();
		Awaitility.await().atMost(LONG).until(() -> this.locks.inspect(request.name()).waiting() == 1);
		List<RedisServer> half = List.of(this.failing, this.cluster.replicas().get(0), this.cluster.masters().get(2));
		half.forEach(RedisServer::freeze);
		Awaitility.await().atMost(LONG).until(() -> held.loss() != null || waiting.isDone());
		assertThat(held.isHeld() && waiting.isDone()).isFalse();
		half.forEach(RedisServer::thaw);
		assertThat(waiting.join().fencingToken()).isGreaterThan(held.fencingToken());
		waiting.join().close();
	}

	@Test
	void aLockFollowsItsSlotToANodeThatIsAddedAndBackWhenItIsRemoved() {
		LockRequest request = on(this.well);
		RedisServer added = this.cluster.replicas().get(2);
		added.command("CLUSTER", "RESET", "SOFT");
		added.command("CLUSTER", "MEET", this.well.host(), String.valueOf(this.well.port()));
		this.cluster.awaitHealthy();
		handOverWhile(request, () -> move(request, added));
		handOverWhile(request, () -> move(request, this.well));
		String id = this.cluster.idOf(added);
		handOverWhile(request, () -> {
			added.kill();
			this.cluster.servers()
				.stream()
				.filter((each) -> each != added)
				.forEach((each) -> each.command("CLUSTER", "FORGET", id));
		});
	}

	// ---- granted only when a replica of their master has them

	@Test
	void aLockOfAnyMasterIsAtItsReplicaWhenItIsGranted() {
		try (RedisLockTemplate locks = RedisConnections.template(Applications.of(this.cluster), 1)) {
			for (int i = 0; i < 3; i++) {
				LockRequest request = on(this.cluster.masters().get(i));
				try (LockHandle lock = locks.acquire(request)) {
					// a replica of a cluster accepts KEYS, but no command for a key
					assertThat(this.cluster.replicas().get(i).list("KEYS", "*")).contains(key(lock.name()));
				}
			}
			// and nothing waits for replicas at a master that was replaced
			this.cluster.replicas().get(0).command("CLUSTER", "FAILOVER");
			Awaitility.await()
				.atMost(LONG)
				.until(() -> !String.valueOf(this.failing.command("CLIENT", "LIST")).contains("cmd=wait"));
		}
	}

	@Test
	void aMasterWithoutItsReplicaDelaysNoLockOfAnother() {
		try (RedisLockTemplate locks = RedisConnections.template(Applications.of(this.cluster), 1)) {
			LockRequest lively = on(this.well);
			LockRequest stuck = on(this.failing);
			this.cluster.replicas().get(0).freeze();
			CompletableFuture<LockHandle> waiting = locks.acquireAsync(stuck).toCompletableFuture();
			Awaitility.await().atMost(LONG).until(() -> this.failing.commandStats().of("wait") > 0);
			for (int i = 0; i < 50; i++) {
				locks.acquire(lively).close();
			}
			assertThat(waiting).isNotDone();
			this.cluster.replicas().get(0).thaw();
			waiting.join().close();
		}
	}

	@Test
	void aLockIsGrantedByTheNewMasterOfItsSlot() {
		try (RedisLockTemplate locks = RedisConnections.template(Applications.of(this.cluster), 1)) {
			LockRequest request = on(this.failing);
			locks.acquire(request).close();
			RedisServer target = this.cluster.masters().get(2);
			move(request, target);
			try (LockHandle lock = locks.acquire(request)) {
				assertThat(target.command("EXISTS", key(lock.name()))).isEqualTo(1L);
				assertThat(this.cluster.replicas().get(2).list("KEYS", "*")).contains(key(lock.name()));
			}
		}
	}

	private void handOverWhile(LockRequest request, Runnable change) {
		LockHandle held = this.locks.acquire(request);
		CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(request).toCompletableFuture();
		Awaitility.await().atMost(LONG).until(() -> this.locks.inspect(request.name()).waiting() == 1);
		change.run();
		assertThat(held.isHeld()).isTrue();
		assertThat(waiting).isNotDone();
		held.close();
		try (LockHandle next = waiting.join()) {
			assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
		}
	}

	private void move(LockRequest request, RedisServer target) {
		int slot = this.cluster.slotOf(key(request.name()));
		this.cluster.beginMove(slot, target);
		this.cluster.finishMove(slot, target);
	}

	private static String key(String name) {
		return "lock:{" + name + "}";
	}

	/** A request with a long wait time for a lock of a master. */
	private LockRequest on(RedisServer master) {
		return LockRequest.of(this.cluster.keyOn(master, "order:")).waitTime(LONG);
	}

}
