package io.github.lockboot.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockContracts;
import io.github.lockboot.engine.PollingSharesContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

@DependsOnRedisVersion
class RedisContractTests extends LockContracts.WithQueue {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(RedisFixture.shared(), clock);
	}

	@Nested
	class ForeignClients extends PollingSharesContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			RedisLockSettings settings = RedisLockSettings.defaults().withForeignClients(true);
			return RedisConnections.store(Applications.of(RedisFixture.shared()), settings, clock);
		}

	}

	@Nested
	class NoChannels extends PollingSharesContract {

		private static RedisServer redis;

		@BeforeAll
		static void start() {
			redis = RedisFixture
				.newServer(RedisOptions.defaults().withUser("shop", "pw", "~lock:*", "resetchannels", "+@all"));
		}

		@AfterAll
		static void close() {
			redis.close();
		}

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return RedisConnections.store(Applications.of(redis, "shop", "pw"), clock);
		}

	}

}
