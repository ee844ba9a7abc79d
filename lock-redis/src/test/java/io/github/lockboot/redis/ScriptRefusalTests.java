package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Scripts and locks on a server that rejects one of their commands. Lua has no rollback,
 * so that no change may be incomplete. The tests of each script cover missing memory.
 */
@DependsOnRedisVersion
class ScriptRefusalTests {

	private static final long LEASE = 30_000;

	private static final String OWNER = "aaaaaaaaaaaaaaaa:1";

	private static final String WAITER = "bbbbbbbbbbbbbbbb:1";

	private static final String STRANGER = "dddddddddddddddd:1";

	// ---- out of memory

	@Test
	void withoutMemoryNoCallerQueuesAndNoEntryIsLeftBehind() {
		try (RedisServer redis = RedisFixture.newServer(); ScriptClient client = new ScriptClient(redis)) {
			client.take(OWNER, LEASE);
			redis.exhaustMemory();
			assertThatException().isThrownBy(() -> client.queue(WAITER, LEASE)).withMessageContaining("OOM");
			assertThat(client.exists(client.queue)).isFalse();
			assertThat(client.exists(client.deadlines)).isFalse();
		}
	}

	@Test
	void withoutMemoryALockIsHandedOver() {
		try (RedisServer redis = RedisFixture.newServer(); ScriptClient client = new ScriptClient(redis)) {
			long token = client.take(OWNER, LEASE);
			client.queue(WAITER, LEASE);
			ListeningJvm<String> waiter = client.listen(WAITER);
			redis.exhaustMemory();
			assertThat(client.release(OWNER, LEASE, token)).containsExactly(2L);
			assertThat(client.owner()).isEqualTo(WAITER);
			assertThat(waiter.messages(1)).hasSize(1);
		}
	}

	@Test
	void withoutMemoryAWaiterLeavesTheQueue() {
		try (RedisServer redis = RedisFixture.newServer(); ScriptClient client = new ScriptClient(redis)) {
			client.take(OWNER, LEASE);
			client.queue(WAITER, LEASE);
			redis.exhaustMemory();
			assertThat(client.release(WAITER, LEASE, 0)).containsExactly(0L);
			assertThat(client.exists(client.queue)).isFalse();
		}
	}

	@Test
	void withoutMemoryTheFirstWaiterFollowsADeadOwner() {
		try (RedisServer redis = RedisFixture.newServer(); ScriptClient client = new ScriptClient(redis)) {
			client.take(OWNER, LEASE);
			client.queue(WAITER, LEASE);
			client.listen(WAITER);
			redis.exhaustMemory();
			client.expire();
			assertThat(number(client.queueInFront(WAITER, LEASE), 0)).isOne();
		}
	}

	@Test
	void anAcquireWithoutMemoryIsAnErrorAndLeavesNothingBehind() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate locks = template(redis)) {
			redis.exhaustMemory();
			assertThat(redis.commandsDuring(() -> {
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> locks.acquire(WatchedLock.once()))
					.withMessageContaining("OOM");
				WatchedLock.await("one second").pollDelay(Duration.ofSeconds(1)).until(() -> true);
			}).of("evalsha")).isOne();
		}
	}

	@Test
	void withoutMemoryAHolderKeepsAndReleasesItsLock() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate locks = template(redis)) {
			WatchedLock watched = new WatchedLock(redis);
			LockHandle lock = locks.acquire(WatchedLock.once().leaseTime(Duration.ofSeconds(6)));
			redis.exhaustMemory();
			WatchedLock.await("a part of the lease").until(() -> watched.leftMillis() < 4500);
			WatchedLock.await("renewal").until(() -> watched.leftMillis() > 5000);
			lock.close();
			assertThat(watched.owner()).isEqualTo("null");
			assertThat(watched.token()).isEqualTo(lock.fencingToken() / 1000);
		}
	}

	private static RedisLockTemplate template(RedisServer redis) {
		return new RedisLockTemplate(Applications.of(redis), WatchedLock.SETTINGS, List.of());
	}

	// ---- a user without the channels

	@Test
	void aUserWithoutTheChannelsFollowsADeadOwner() {
		try (RedisServer redis = withoutChannels(); ScriptClient client = clientWithoutChannels(redis)) {
			client.take(OWNER, LEASE);
			client.queue(WAITER, LEASE);
			client.expire();
			assertThat(number(client.acquire(STRANGER, LEASE, 0), 0)).isZero();
			assertThat(client.owner()).isEqualTo(WAITER);
		}
	}

	@Test
	void aUserWithoutTheChannelsForcesAReleaseAndTheOwnerIsNotNotified() {
		try (RedisServer redis = withoutChannels(); ScriptClient client = clientWithoutChannels(redis)) {
			client.take(OWNER, LEASE);
			assertThat(client.force()).containsExactly(1L);
			assertThat(client.exists(client.lock)).isFalse();
		}
	}

	// ---- a replica

	@Test
	void aReplicaRejectsChangesOfLocksAndAllowsReads() {
		try (RedisServer master = RedisFixture.newServer();
				RedisServer replica = RedisFixture.newServer(RedisOptions.defaults().replicaOf(master));
				ScriptClient onMaster = new ScriptClient(master)) {
			onMaster.take(OWNER, LEASE);
			master.awaitReplicas(1);
			assertReadOnly(replica, (client) -> client.acquire(OWNER, LEASE, 0));
			assertReadOnly(replica, (client) -> client.queue(WAITER, LEASE));
			assertReadOnly(replica, (client) -> client.renew(OWNER, LEASE));
			assertReadOnly(replica, (client) -> client.release(OWNER, LEASE, 1));
			assertReadOnly(replica, ScriptClient::force);
			try (ScriptClient onReplica = new ScriptClient(replica)) {
				assertThat(onReplica.inspect()).first().isEqualTo(OWNER);
			}
			assertThat(onMaster.owner()).isEqualTo(OWNER);
		}
	}

	/** On a new connection each time: a connection with this error is closed. */
	private static void assertReadOnly(RedisServer replica, Consumer<ScriptClient> call) {
		try (ScriptClient client = new ScriptClient(replica)) {
			assertThatException().isThrownBy(() -> call.accept(client)).withMessageContaining("READONLY");
		}
	}

	private static RedisServer withoutChannels() {
		return RedisFixture
			.newServer(RedisOptions.defaults().withUser("shop", "pw", "~lock:*", "resetchannels", "+@all"));
	}

	private static ScriptClient clientWithoutChannels(RedisServer redis) {
		return new ScriptClient(redis, Applications.of(redis, "shop", "pw"));
	}

}
