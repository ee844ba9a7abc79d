package io.github.lockboot.redis.redlock;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.PollingSharesContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockPollingSharesTests extends PollingSharesContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return Masters.shared().store(clock);
	}

}
