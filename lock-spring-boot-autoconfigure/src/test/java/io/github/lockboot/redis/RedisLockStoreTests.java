package io.github.lockboot.redis;

import org.junit.jupiter.api.AfterAll;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;

@DependsOnRedisVersion
class RedisLockStoreTests extends LockStoreContract {

	private static final MonotonicClock clock = new SystemClock("lock-timer");

	private static final LockStore store = RedisConnections.store(RedisFixture.shared(), clock);

	@AfterAll
	static void close() {
		store.close();
		clock.close();
	}

	@Override
	protected LockStore store() {
		return store;
	}

}
