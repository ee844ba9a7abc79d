package io.github.lockboot.redis;

import org.junit.jupiter.api.Nested;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.ArrivalOrderContract;
import io.github.lockboot.engine.LockContracts;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.connection.Applications;

@DependsOnRedisVersion
class RedisClusterContractTests extends LockContracts {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(Applications.of(RedisFixture.sharedCluster()), clock);
	}

	@Nested
	class ArrivalOrder extends ArrivalOrderContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return RedisClusterContractTests.this.newStore(clock);
		}

	}

}
