package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Intact connections to a replica: the server was a master when they were opened, or its
 * Sentinels had not detected the failover yet. A host name that later resolves to another
 * server represents Sentinels that have detected it.
 */
@Timeout(90)
@DependsOnRedisVersion
@Tag("long")
class RedisLockTemplateDemotedMasterTests {

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(30));

	private static final RedisLockSettings SETTINGS = RedisLockSettings.defaults()
		.withCommandTimeout(Duration.ofSeconds(2));

	private final RedisServer first = RedisFixture.newServer();

	private final RedisServer second = RedisFixture.newServer(RedisOptions.defaults().replicaOf(this.first));

	private final RedisProxy name = new RedisProxy(this.first);

	@BeforeEach
	void awaitReplica() {
		awaitReplica(this.second);
	}

	@AfterEach
	void close() {
		this.name.close();
		this.second.close();
		this.first.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void aLockIsAcquiredAtTheNewMaster(int replicas) {
		try (RedisLockTemplate locks = template(SETTINGS.withMinReplicasAcknowledged(replicas))) {
			locks.acquire(REQUEST).close();
			switchRoles();
			awaitReplica(this.first);
			this.name.leadTo(this.second);
			locks.acquire(REQUEST).close();
		}
	}

	@Test
	void aHoldIsRenewedAtTheNewMaster() {
		try (RedisLockTemplate locks = template(SETTINGS);
				LockHandle held = locks.acquire(REQUEST.leaseTime(Duration.ofSeconds(20)))) {
			this.first.awaitReplicas(1);
			switchRoles();
			this.name.leadTo(this.second);
			Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> this.second.commandStats().of("pexpire") > 0);
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void aWaiterThatIsSubscribedAtAReplicaReceivesTheLock() {
		try (RedisLockTemplate locks = template(SETTINGS); RedisLockTemplate otherLocks = direct()) {
			leadInboxesToReplica(locks);
			LockHandle held = otherLocks.acquire(REQUEST);
			CompletableFuture<LockHandle> waiting = locks.acquireAsync(REQUEST).toCompletableFuture();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> RedisConnections.channels(this.first).size() == 2);
			held.close();
			waiting.join().close();
		}
	}

	/** As if Sentinels returned the wrong server on a reconnect. */
	private void leadInboxesToReplica(RedisLockTemplate locks) {
		locks.acquire(REQUEST).close();
		this.name.leadTo(this.second);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
			this.first.command("CLIENT", "KILL", "TYPE", "pubsub");
			return RedisConnections.channels(this.second).size() == 1;
		});
		this.name.leadTo(this.first);
	}

	/** Without breaking any connection of a client. */
	private void switchRoles() {
		// otherwise a release that the replica has not received would be lost
		this.first.command("SET", "last", "write");
		Awaitility.await().until(() -> "write".equals(this.second.command("GET", "last")));
		this.second.command("REPLICAOF", "NO", "ONE");
		this.first.command("REPLICAOF", this.second.host(), String.valueOf(this.second.port()));
	}

	private static void awaitReplica(RedisServer replica) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> replica.info("replication", "master_link_status").equals("up"));
	}

	private RedisLockTemplate template(RedisLockSettings settings) {
		return new RedisLockTemplate(Applications.at("127.0.0.1", this.name.port()), settings, List.of());
	}

	private RedisLockTemplate direct() {
		return new RedisLockTemplate(Applications.of(this.first), SETTINGS, List.of());
	}

}
