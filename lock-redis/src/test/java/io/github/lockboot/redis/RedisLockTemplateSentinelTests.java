package io.github.lockboot.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisSentinels;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks during a fail-over by Sentinels, which takes about four seconds.
 */
@Timeout(90)
class RedisLockTemplateSentinelTests {

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(30));

	private final RedisSentinels sentinels = RedisFixture.newSentinels(2, 3,
			RedisOptions.defaults().withPassword("secret"));

	private final RedisLockTemplate locks = template(0);

	private final RedisLockTemplate otherLocks = template(0);

	@AfterEach
	void close() {
		this.locks.close();
		this.otherLocks.close();
		this.sentinels.close();
	}

	@Test
	void findsTheMasterBySentinelsAndFollowsAFailover() {
		try (LockHandle lock = this.locks.acquire(REQUEST)) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(this.sentinels.master().command("EXISTS", "lock:{orders:42}")).isEqualTo(1L);
		}
		assertThat(this.sentinels.master().command("EXISTS", "lock:{orders:42}")).isEqualTo(0L);
		this.sentinels.master().kill();
		this.locks.acquire(REQUEST).close();
		Awaitility.await().until(() -> this.sentinels.master() != this.sentinels.servers().get(0));
	}

	@Test
	void aWaiterAcquiresItsLockAfterAFailoverWithAGreaterToken() {
		LockHandle held = this.locks.acquire(REQUEST);
		CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(REQUEST).toCompletableFuture();
		Awaitility.await().until(() -> this.locks.inspect(held.name()).waiting() == 1);
		this.sentinels.master().awaitReplicas(2);
		this.sentinels.master().kill();
		held.close();
		try (LockHandle next = waiting.join()) {
			assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
		}
	}

	// ---- a master that its replicas and Sentinels no longer reach, but its clients do

	@ParameterizedTest
	@Tag("long")
	@ValueSource(ints = { 0, 1 })
	void theClientMovesToTheNewMaster(int replicas) {
		try (RedisLockTemplate locks = template(replicas)) {
			locks.acquire(REQUEST).close();
			cutOff();
			Awaitility.await().atMost(Duration.ofSeconds(40)).ignoreExceptions().until(() -> {
				try (LockHandle held = locks.acquire(REQUEST)) {
					assertThat(held.isHeld()).isTrue();
					return Long.valueOf(1).equals(this.sentinels.master().command("EXISTS", "lock:{orders:42}"));
				}
			});
		}
	}

	@ParameterizedTest
	@Tag("long")
	@ValueSource(booleans = { true, false })
	void aHoldThatReplicasAcknowledgedEndsBeforeTheNextOne(boolean told) {
		try (RedisLockTemplate locks = template(1); RedisLockTemplate others = template(1)) {
			// shorter than a fail-over, after which the lease could be renewed
			LockHandle held = locks.acquire(REQUEST.leaseTime(Duration.ofSeconds(1)));
			cutOff();
			if (!told) {
				this.sentinels.sentinels().forEach((each) -> each.command("CLIENT", "KILL", "TYPE", "pubsub"));
			}
			Awaitility.await()
				.atMost(Duration.ofSeconds(40))
				.ignoreExceptions()
				.until(() -> this.sentinels.master() != this.sentinels.servers().get(0));
			try (LockHandle next = others.acquire(REQUEST)) {
				assertThat(held.isHeld()).isFalse();
				assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
			}
		}
	}

	/**
	 * The server refuses the commands by which the others follow and watch it.
	 */
	private void cutOff() {
		this.sentinels.servers().get(0).awaitReplicas(2);
		this.sentinels.servers().get(0).command("ACL", "SETUSER", "default", "-psync", "-sync", "-ping", "-info");
		this.sentinels.servers().get(0).command("CLIENT", "KILL", "TYPE", "replica");
	}

	private RedisLockTemplate template(int replicas) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration(this.sentinels.masterName(),
				new HashSet<>(this.sentinels.nodes()));
		configuration.setPassword("secret");
		return RedisConnections.template(new LettuceConnectionFactory(configuration), replicas);
	}

}
