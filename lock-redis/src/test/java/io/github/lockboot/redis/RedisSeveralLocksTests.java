package io.github.lockboot.redis;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.SeveralLocksContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.RedisFixture;

class RedisSeveralLocksTests extends SeveralLocksContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(RedisFixture.shared(), clock);
	}

}
