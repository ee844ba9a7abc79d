package io.github.lockboot.zookeeper;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

class ZookeeperLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(clock);
	}

}
