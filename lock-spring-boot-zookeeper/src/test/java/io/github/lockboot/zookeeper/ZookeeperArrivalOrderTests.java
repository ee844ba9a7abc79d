package io.github.lockboot.zookeeper;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.ArrivalOrderContract;
import io.github.lockboot.engine.store.LockStore;

class ZookeeperArrivalOrderTests extends ArrivalOrderContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(clock);
	}

}
