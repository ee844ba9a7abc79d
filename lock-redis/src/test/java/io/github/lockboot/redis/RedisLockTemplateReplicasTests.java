package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks that are granted only when a replica has them.
 */
@DependsOnRedisVersion
@Timeout(90)
@Tag("long")
class RedisLockTemplateReplicasTests {

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(30));

	private static final LockRequest ONCE = REQUEST.waitTime(Duration.ZERO);

	private static final String KEY = "lock:{orders:42}";

	private final RedisServer master = RedisFixture.newServer();

	private final RedisServer replica = RedisFixture.newServer(RedisOptions.defaults().replicaOf(this.master));

	private final RedisLockTemplate locks = RedisConnections.template(Applications.of(this.master), 1);

	private final RedisLockTemplate otherLocks = RedisConnections.template(Applications.of(this.master), 1);

	@BeforeEach
	void awaitReplica() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.replica.info("replication", "master_link_status").equals("up"));
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.otherLocks.close();
		this.replica.close();
		this.master.close();
	}

	@Test
	void aLockIsAtTheReplicaWhenItIsGranted() {
		for (int i = 0; i < 100; i++) {
			try (LockHandle lock = this.locks.acquire(REQUEST)) {
				assertThat(this.replica.command("EXISTS", KEY)).isEqualTo(1L);
				assertThat(lock.isHeld()).isTrue();
			}
		}
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void aLockThatIsHandedOverIsAtTheReplicaToo(LockRequest kind) {
		LockHandle held = this.locks.acquire(REQUEST);
		CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(kind).toCompletableFuture();
		Awaitility.await().until(() -> this.locks.inspect(held.name()).waiting() == 1);
		List<?> before = owners(this.replica);
		held.close();
		try (LockHandle next = waiting.join()) {
			assertThat(owners(this.replica)).isEqualTo(owners(this.master)).isNotEqualTo(before);
			assertThat(next.isHeld()).isTrue();
		}
	}

	@Test
	void aSharedLockIsAtTheReplicaForEachJvmThatHoldsIt() {
		try (LockHandle first = this.locks.acquire(REQUEST.shared());
				LockHandle second = this.otherLocks.acquire(REQUEST.shared())) {
			assertThat(this.replica.command("ZCARD", KEY + ":r")).isEqualTo(2L);
			assertThat(List.of(first, second)).allMatch(LockHandle::isHeld);
		}
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void withoutTheReplicaNoLockIsGrantedAndNothingStaysHeld(LockRequest kind) {
		this.replica.freeze();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.locks.acquire(kind.waitTime(Duration.ZERO)))
			.withMessageContaining("0 of 1 replicas");
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.master.command("EXISTS", KEY, KEY + ":r")).isEqualTo(0L));
	}

	/**
	 * The error is that of WAIT, not of the script before it, which has acquired the
	 * lock.
	 */
	@Test
	void ifRedisRejectsWaitNoLockIsGrantedAndNothingStaysHeld() {
		this.master.command("ACL", "SETUSER", "default", "-wait");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire(ONCE))
			.withMessageContaining("not confirmed");
		Awaitility.await().untilAsserted(() -> assertThat(this.master.command("EXISTS", KEY)).isEqualTo(0L));
	}

	@Test
	void aLockIsNotHandedOverWithoutTheReplica() {
		LockHandle held = this.locks.acquire(REQUEST);
		CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(REQUEST).toCompletableFuture();
		Awaitility.await().until(() -> this.locks.inspect(held.name()).waiting() == 1);
		this.replica.freeze();
		held.close();
		Awaitility.await().atMost(Duration.ofSeconds(20)).during(Duration.ofSeconds(3)).until(() -> !waiting.isDone());
		this.replica.thaw();
		waiting.join().close();
	}

	@Test
	void waitingForTheReplicaDelaysNoRelease() {
		LockHandle held = this.locks.acquire(LockRequest.of("other"));
		this.replica.freeze();
		List<CompletableFuture<LockHandle>> waiting = waiting("many:", 50, Duration.ofSeconds(30));
		Awaitility.await().until(() -> this.master.commandStats().of("wait") > 0);
		held.close();
		assertThat(this.master.command("EXISTS", "lock:{other}")).isEqualTo(0L);
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
		this.replica.thaw();
		waiting.forEach((each) -> each.join().close());
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void aLeaseEndsIfNoReplicaAcknowledgesItsRenewals(LockRequest kind) {
		LockHandle held = this.locks.acquire(kind.leaseTime(Duration.ofMillis(1500)));
		Awaitility.await().until(() -> this.master.commandStats().of("wait") > 1);
		assertThat(held.isHeld()).isTrue();
		this.replica.freeze();
		Awaitility.await().until(() -> held.loss() != null);
		this.replica.thaw();
		this.otherLocks.acquire(kind).close();
	}

	static List<LockRequest> kinds() {
		return List.of(REQUEST, REQUEST.shared(), REQUEST.permits(2), REQUEST.fair(true));
	}

	@Test
	void renewalsShareTheirWaits() {
		List<LockHandle> held = IntStream.range(0, 100)
			.mapToObj((i) -> this.locks.acquire(LockRequest.of("held:" + i).leaseTime(Duration.ofMillis(1500))))
			.toList();
		CommandCounts before = this.master.commandStats();
		Awaitility.await().until(() -> this.master.commandStats().of("pexpire") - before.of("pexpire") >= 500);
		assertThat(this.master.commandStats().of("wait") - before.of("wait")).isLessThan(500);
		held.forEach((each) -> assertThat(each.isHeld()).isTrue());
		held.forEach(LockHandle::close);
	}

	@Test
	void locksThatAreAcquiredDuringAWaitForReplicasShareTheNextWait() {
		this.replica.freeze();
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>(waiting("first:", 1, Duration.ofSeconds(30)));
		Awaitility.await().until(() -> this.master.commandStats().of("wait") > 0);
		waiting.addAll(waiting("many:", 200, Duration.ofSeconds(30)));
		this.replica.thaw();
		waiting.forEach((each) -> each.join().close());
		assertThat(this.master.commandStats().of("wait")).isLessThan(100);
	}

	@Test
	void aBusyLockIsReportedAtOnceWithoutTheReplica() {
		LockHandle held = this.locks.acquire(REQUEST);
		this.replica.freeze();
		long before = this.master.commandStats().of("wait");
		assertThat(this.otherLocks.tryAcquire(ONCE)).isNull();
		assertThat(this.master.commandStats().of("wait")).isEqualTo(before);
		held.close();
	}

	@Test
	void aLockIsAtTheReplicaEvenIfTheScriptsWereFlushed() {
		this.master.command("SCRIPT", "FLUSH");
		try (LockHandle lock = this.locks.acquire(REQUEST)) {
			assertThat(this.replica.command("EXISTS", KEY)).isEqualTo(1L);
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void aCallerThatGaveUpWaitingForTheReplicaDoesNotBlockOthers() {
		this.locks.acquire(REQUEST).close();
		long before = connections();
		this.replica.freeze();
		List<CompletableFuture<LockHandle>> waiting = waiting("many:", 20_000, Duration.ofMillis(100));
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> waiting.stream().allMatch(CompletableFuture::isCompletedExceptionally));
		this.replica.thaw();
		waiting("later:", 64, Duration.ofSeconds(30)).forEach((each) -> each.join().close());
		assertThat(connections()).isEqualTo(before);
	}

	@Test
	void tokensGrowOverAFailoverToTheReplica() {
		LockHandle held = this.locks.acquire(REQUEST);
		this.master.kill();
		this.replica.command("REPLICAOF", "NO", "ONE");
		try (RedisLockTemplate after = RedisConnections.template(Applications.of(this.replica), 0)) {
			assertThat(after.tryAcquire(ONCE)).isNull();
			after.forceRelease(held.name());
			try (LockHandle next = after.acquire(ONCE)) {
				assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
			}
		}
	}

	private List<CompletableFuture<LockHandle>> waiting(String names, int count, Duration waitTime) {
		return IntStream.range(0, count)
			.mapToObj(
					(i) -> this.locks.acquireAsync(LockRequest.of(names + i).waitTime(waitTime)).toCompletableFuture())
			.toList();
	}

	private long connections() {
		return String.valueOf(this.master.command("CLIENT", "LIST")).lines().count();
	}

	/** Return the owner, and those that share the lock. */
	private static List<?> owners(RedisServer server) {
		return Arrays.asList(server.command("GET", KEY), server.command("ZRANGE", KEY + ":r", "0", "-1"));
	}

}
