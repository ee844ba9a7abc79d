package io.github.lockboot.redis;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.leader.LeaderElectionContract;

class RedisLeaderElectionTests extends LeaderElectionContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return RedisConnections.store(RedisFixture.shared(), clock);
	}

}
