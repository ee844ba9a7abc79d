package io.github.lockboot.jdbc;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.leader.LeaderElectionContract;

class JdbcLeaderElectionTests extends LeaderElectionContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(TestDatabase.H2, clock);
	}

}
