package io.github.lockboot.redis.redlock;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LeaderElectionContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockLeaderElectionTests extends LeaderElectionContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return Masters.shared().store(clock);
	}

}
