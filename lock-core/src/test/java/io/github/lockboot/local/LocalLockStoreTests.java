package io.github.lockboot.local;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

class LocalLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return new LocalLockStore(new LocalLocks(clock));
	}

}
