package io.github.lockboot.zookeeper;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.SeveralLocksContract;
import io.github.lockboot.engine.store.LockStore;

class ZookeeperSeveralLocksTests extends SeveralLocksContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(clock);
	}

	@Override
	protected LockDefaults defaults() {
		return TestStores.defaults();
	}

}
