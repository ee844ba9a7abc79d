package io.github.lockboot.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;

@DependsOnRedisVersion
class RedisLockStoreTests extends LockStoreContract {

	private static MonotonicClock clock;

	private static LockStore store;

	@BeforeAll
	static void connect() {
		clock = new SystemClock("lock-timer");
		store = RedisConnections.store(RedisFixture.shared(), clock);
	}

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
