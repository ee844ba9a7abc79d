package io.github.lockboot.redis;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.SeveralLocksContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.connection.Applications;

class RedisClusterSeveralLocksTests extends SeveralLocksContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(Applications.of(RedisFixture.sharedCluster()), clock);
	}

}
