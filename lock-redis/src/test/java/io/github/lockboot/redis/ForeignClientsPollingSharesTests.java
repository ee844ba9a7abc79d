package io.github.lockboot.redis;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.PollingSharesContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.RedisFixture;

class ForeignClientsPollingSharesTests extends PollingSharesContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		RedisLockSettings settings = RedisLockSettings.defaults().withForeignClients(true);
		return RedisConnections.store(RedisConnections.factory(RedisFixture.shared()), settings, clock);
	}

}
