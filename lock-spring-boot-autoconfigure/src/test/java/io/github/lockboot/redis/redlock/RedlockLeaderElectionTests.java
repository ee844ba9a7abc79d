package io.github.lockboot.redis.redlock;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.leader.LeaderElectionContract;

class RedlockLeaderElectionTests extends LeaderElectionContract {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return Masters.shared().store(clock);
	}

}
