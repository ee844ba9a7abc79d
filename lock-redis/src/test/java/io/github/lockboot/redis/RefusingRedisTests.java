package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks on a Redis that replies with errors.
 */
@DependsOnRedisVersion
@Timeout(60)
class RefusingRedisTests {

	private final RedisServer redis = RedisFixture.newServer();

	private final WatchedLock watched = new WatchedLock(this.redis);

	private final RedisLockTemplate locks = new RedisLockTemplate(Applications.of(this.redis), WatchedLock.SETTINGS,
			List.of());

	@AfterEach
	void close() {
		this.locks.close();
		this.redis.close();
	}

	@Test
	void aRejectedAcquireIsAnErrorAndLeavesNothingBehind() {
		this.redis.command("CONFIG", "SET", "maxmemory", "1");
		assertThat(this.redis.commandsDuring(() -> {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> this.locks.acquire(WatchedLock.once()))
				.withMessageContaining("OOM");
			WatchedLock.await("one second").pollDelay(Duration.ofSeconds(1)).until(() -> true);
		}).of("evalsha")).isOne();
	}

	@Test
	void aHolderKeepsAndReleasesItsLockWithoutMemory() {
		LockHandle lock = this.locks.acquire(WatchedLock.once().leaseTime(Duration.ofSeconds(6)));
		this.redis.command("CONFIG", "SET", "maxmemory", "1");
		WatchedLock.await("a part of the lease").until(() -> this.watched.leftMillis() < 4500);
		WatchedLock.await("renewal").until(() -> this.watched.leftMillis() > 5000);
		lock.close();
		assertThat(this.watched.owner()).isEqualTo("null");
		assertThat(this.watched.token()).isEqualTo(lock.fencingToken() / 1000);
	}

}
