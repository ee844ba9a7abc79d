package io.github.lockboot.redis;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;

@DependsOnRedisVersion
class RedisLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(RedisFixture.shared(), clock);
	}

}
