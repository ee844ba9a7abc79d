package io.github.lockboot.redis.redlock;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.SeveralLocksContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockSeveralLocksTests extends SeveralLocksContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return Masters.shared().store(clock);
	}

}
