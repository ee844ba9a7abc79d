package io.github.lockboot.zookeeper;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockOperationsContract;
import io.github.lockboot.engine.store.LockStore;

class ZookeeperLockOperationsTests extends LockOperationsContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(clock);
	}

	@Override
	protected LockDefaults defaults() {
		return TestStores.defaults();
	}

}
