package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks on a healthy cluster, and during the migration of slots.
 */
@DependsOnRedisVersion
@Timeout(60)
class RedisLockTemplateClusterTests {

	private static RedisCluster cluster;

	private static final Duration LONG = Duration.ofSeconds(30);

	private static int locksSoFar;

	private final RedisLockTemplate locks = template();

	private final RedisLockTemplate otherLocks = template();

	private static RedisLockTemplate template() {
		return new RedisLockTemplate(Applications.of(cluster),
				RedisLockSettings.defaults().withCommandTimeout(Duration.ofSeconds(5)), List.of());
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.otherLocks.close();
	}

	@BeforeAll
	static void start() {
		cluster = RedisFixture.newCluster(3, 0);
	}

	@AfterAll
	static void closeCluster() {
		cluster.close();
	}

	@Test
	void locksOfAllSlotsAreOnTheirMasters() {
		List<LockHandle> held = IntStream.range(0, 300).mapToObj((i) -> this.locks.acquire("spread:" + i)).toList();
		Map<RedisServer, List<LockHandle>> byMaster = held.stream()
			.collect(Collectors.groupingBy((lock) -> cluster.masterOf(key(lock.name()))));
		assertThat(byMaster).hasSize(3);
		byMaster.forEach((master, locks) -> assertThat(locks)
			.allSatisfy((lock) -> assertThat(master.command("EXISTS", key(lock.name()))).isEqualTo(1L)));
		held.forEach(LockHandle::close);
		assertThat(held).allSatisfy((lock) -> assertThat(this.otherLocks.tryAcquire(once(lock.name()))).isNotNull());
	}

	@Test
	void callsThatTryOnceWaitForTheNextConnection() {
		RedisServer master = cluster.masters().get(0);
		CutConnectionTests.assertCallsThatTryOnceWaitForTheNextConnection(this.locks, once(nameOn(master)), master);
	}

	@Test
	void aLockOnAnyMasterIsHandedOverByAPushWithoutPolling() {
		for (RedisServer master : cluster.masters()) {
			String name = nameOn(master);
			LockHandle held = this.locks.acquire(name);
			CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(waitingLong(name))
				.toCompletableFuture();
			awaitQueued(master, name);
			CommandCounts counts = master.commandsDuring(() -> {
				held.close();
				waiting.join();
			});
			assertThat(counts.of("evalsha")).as("release and first renewal on " + master).isBetween(1L, 2L);
			assertThat(counts.of(publish())).isOne();
			waiting.join().close();
		}
	}

	/** It has to know the channels of the servers at once. */
	@Test
	void subscribersReceiveMessagesOfANewConnection() throws Exception {
		for (RedisServer master : cluster.masters()) {
			String name = nameOn(master);
			handOver(master, name, this.otherLocks, this.locks);
			LockHandle held = this.locks.acquire(name);
			CountDownLatch lost = new CountDownLatch(1);
			held.onLost(lost::countDown);
			try (RedisLockTemplate newcomer = template()) {
				assertThat(newcomer.forceRelease(held.name())).isTrue();
			}
			// its renewal would detect it after ten seconds
			assertThat(lost.await(8, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aHoldSurvivesTheMoveOfItsSlot() {
		RedisServer source = cluster.masters().get(0);
		RedisServer target = cluster.masters().get(1);
		String name = nameOn(source);
		int slot = cluster.slotOf(key(name));
		try (LockHandle held = this.locks.acquire(waitingLong(name).leaseTime(Duration.ofSeconds(6)))) {
			cluster.beginMove(slot, target);
			cluster.finishMove(slot, target);
			// renewed after a third of the lease, by a redirection
			Awaitility.await().atMost(LONG).until(() -> target.commandStats().of("pexpire") > 0);
			assertThat(held.isHeld()).isTrue();
			assertThat(this.otherLocks.tryAcquire(once(name))).isNull();
		}
		assertThat(target.command("EXISTS", key(name))).isEqualTo(0L);
		this.otherLocks.acquire(name).close();
	}

	@Test
	void anAcquireInASlotThatMovesFollowsItAndSucceedsWhenItHasMoved() {
		RedisServer target = cluster.masters().get(1);
		String name = nameOn(cluster.masters().get(2));
		int slot = cluster.slotOf(key(name));
		cluster.beginMove(slot, target);
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(waitingLong(name)).toCompletableFuture();
		Awaitility.await().atMost(LONG).until(() -> target.commandStats().of("asking") > 0);
		assertThat(waiting).isNotDone();
		cluster.finishMove(slot, target);
		try (LockHandle lock = waiting.join()) {
			assertThat(target.command("EXISTS", key(lock.name()))).isEqualTo(1L);
		}
	}

	/** The hash tag of a node's channels is that of its lowest slot. */
	@Test
	void pushesContinueAfterTheLowestSlotOfAMasterHasMoved() {
		RedisServer source = cluster.masters().get(2);
		RedisServer target = cluster.masters().get(1);
		int lowest = cluster.lowestSlotOf(source);
		cluster.beginMove(lowest, target);
		cluster.finishMove(lowest, target);
		for (RedisServer master : List.of(source, target)) {
			String name = nameOn(master);
			Awaitility.await().atMost(LONG).untilAsserted(() -> {
				LockHandle held = this.locks.acquire(name);
				CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(waitingLong(name))
					.toCompletableFuture();
				awaitQueued(master, name);
				CommandCounts counts = master.commandsDuring(() -> {
					held.close();
					waiting.join().close();
				});
				assertThat(counts.of("evalsha")).isLessThanOrEqualTo(3);
			});
		}
	}

	private static void handOver(RedisServer master, String name, RedisLockTemplate from, RedisLockTemplate to) {
		LockHandle held = from.acquire(name);
		CompletableFuture<LockHandle> waiting = to.acquireAsync(waitingLong(name)).toCompletableFuture();
		awaitQueued(master, name);
		held.close();
		waiting.join().close();
	}

	private static void awaitQueued(RedisServer master, String name) {
		Awaitility.await().atMost(LONG).until(() -> Long.valueOf(1).equals(master.command("LLEN", key(name) + ":q")));
	}

	private static LockRequest waitingLong(String name) {
		return LockRequest.of(name).waitTime(LONG);
	}

	private static LockRequest once(String name) {
		return LockRequest.of(name).waitTime(Duration.ZERO);
	}

	private static String key(String name) {
		return "lock:{" + name + "}";
	}

	/** A name that no test has used. */
	private static String nameOn(RedisServer master) {
		return cluster.keyOn(master, "order:" + locksSoFar++ + ":");
	}

	private static String publish() {
		return RedisFixture.version().startsWith("6") ? "publish" : "spublish";
	}

}
