package io.github.lockboot.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockOperationsContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.connection.Applications;

@DependsOnRedisVersion
class RedisClusterLockOperationsTests extends LockOperationsContract {

	private static RedisCluster cluster;

	@BeforeAll
	static void start() {
		cluster = RedisFixture.newCluster(3, 0);
	}

	@AfterAll
	static void close() {
		cluster.close();
	}

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(Applications.of(cluster), clock);
	}

}
