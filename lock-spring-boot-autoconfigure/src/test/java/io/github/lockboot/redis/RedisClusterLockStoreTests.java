package io.github.lockboot.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.connection.Applications;

@DependsOnRedisVersion
class RedisClusterLockStoreTests extends LockStoreContract {

	private static RedisCluster cluster;

	private static MonotonicClock clock;

	private static LockStore store;

	@BeforeAll
	static void start() {
		cluster = RedisFixture.newCluster(3, 0);
		clock = new SystemClock("lock-timer");
		store = RedisConnections.store(Applications.of(cluster), clock);
	}

	@AfterAll
	static void close() {
		store.close();
		clock.close();
		cluster.close();
	}

	@Override
	protected LockStore store() {
		return store;
	}

}
