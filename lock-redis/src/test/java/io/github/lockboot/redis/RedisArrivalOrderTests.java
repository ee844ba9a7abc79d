package io.github.lockboot.redis;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.ArrivalOrderContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.RedisFixture;

class RedisArrivalOrderTests extends ArrivalOrderContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(RedisFixture.shared(), clock);
	}

}
