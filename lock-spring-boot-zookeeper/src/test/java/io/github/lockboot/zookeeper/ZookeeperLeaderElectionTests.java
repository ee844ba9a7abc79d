package io.github.lockboot.zookeeper;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.leader.LeaderElectionContract;

class ZookeeperLeaderElectionTests extends LeaderElectionContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(clock);
	}

	@Override
	protected LockDefaults defaults() {
		return TestStores.defaults();
	}

}
