package io.github.lockboot.redis;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockOperationsContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.connection.Applications;

@DependsOnRedisVersion
class RedisClusterLockOperationsTests extends LockOperationsContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(Applications.of(RedisFixture.sharedCluster()), clock);
	}

}
