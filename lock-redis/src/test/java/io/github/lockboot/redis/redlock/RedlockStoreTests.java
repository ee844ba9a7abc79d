package io.github.lockboot.redis.redlock;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return Masters.shared().store(clock);
	}

}
