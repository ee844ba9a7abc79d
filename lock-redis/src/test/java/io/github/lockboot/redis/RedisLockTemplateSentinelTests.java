package io.github.lockboot.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

	private final RedisLockTemplate locks = template();

	private final RedisLockTemplate otherLocks = template();

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

	private RedisLockTemplate template() {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration(this.sentinels.masterName(),
				new HashSet<>(this.sentinels.nodes()));
		configuration.setPassword("secret");
		return new RedisLockTemplate(new LettuceConnectionFactory(configuration),
				RedisLockSettings.defaults().withCommandTimeout(Duration.ofSeconds(2)), List.of());
	}

}
