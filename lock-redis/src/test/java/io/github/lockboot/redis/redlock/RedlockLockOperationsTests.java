package io.github.lockboot.redis.redlock;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockOperationsContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockLockOperationsTests extends LockOperationsContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return Masters.shared().store(clock);
	}

}
