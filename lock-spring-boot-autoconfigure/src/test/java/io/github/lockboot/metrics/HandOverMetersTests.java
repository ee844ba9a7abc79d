package io.github.lockboot.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The meters of an instance that receives a lock from another one.
 */
@RedisTest
class HandOverMetersTests {

	/** As in the shipped rules for alerts. */
	private static final double ALARM = 0.66;

	private static final LockRequest ORDER = LockRequest.of("order:42").group("order").waitTime(Duration.ofMinutes(1));

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final RedisLockTemplate one;

	private final RedisLockTemplate other;

	HandOverMetersTests(RedisServer redis) {
		this.one = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(), List.of());
		this.other = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(),
				List.of(new LockMetrics(this.registry)));
	}

	@AfterEach
	void close() {
		this.one.close();
		this.other.close();
	}

	@Test
	void aNormalHandOverIsNotALateRenewal() {
		LockHandle held = this.one.acquire(ORDER);
		CompletableFuture<LockHandle> waiting = this.other.acquireAsync(ORDER).toCompletableFuture();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.one.inspect("order:42").waiting() == 1);
		held.close();
		try (LockHandle next = waiting.orTimeout(30, TimeUnit.SECONDS).join()) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> this.registry.get("lock.lease.used").summary().count() > 0);
			assertThat(next.isHeld()).isTrue();
		}
		assertThat(this.registry.get("lock.lease.used").summary().max()).isLessThan(ALARM);
	}

}
