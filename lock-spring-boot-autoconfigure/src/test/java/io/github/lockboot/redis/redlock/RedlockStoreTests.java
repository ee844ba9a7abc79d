package io.github.lockboot.redis.redlock;

import org.junit.jupiter.api.AfterAll;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockStoreTests extends LockStoreContract {

	private static final Masters masters = Masters.start();

	private static final MonotonicClock clock = new SystemClock("lock-timer");

	private static final LockStore store = masters.store(clock);

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
