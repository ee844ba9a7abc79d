package io.github.lockboot.redis.redlock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockStoreTests extends LockStoreContract {

	private static Masters masters;

	private static MonotonicClock clock;

	private static LockStore store;

	@BeforeAll
	static void start() {
		masters = Masters.start();
		clock = new SystemClock("lock-timer");
		store = masters.store(clock);
	}

	@AfterAll
	static void close() {
		store.close();
		clock.close();
		masters.close();
	}

	@Override
	protected LockStore store() {
		return store;
	}

}
