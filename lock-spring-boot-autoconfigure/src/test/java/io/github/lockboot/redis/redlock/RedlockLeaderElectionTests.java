package io.github.lockboot.redis.redlock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LeaderElectionContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockLeaderElectionTests extends LeaderElectionContract {

	private static Masters masters;

	@BeforeAll
	static void start() {
		masters = Masters.start();
	}

	@AfterAll
	static void close() {
		masters.close();
	}

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return masters.store(clock);
	}

}
