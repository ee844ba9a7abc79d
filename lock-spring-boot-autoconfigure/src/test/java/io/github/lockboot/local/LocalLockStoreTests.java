package io.github.lockboot.local;

import org.junit.jupiter.api.AfterEach;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

class LocalLockStoreTests extends LockStoreContract {

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final LockStore store = new LocalLockStore(new LocalLocks(this.clock));

	@AfterEach
	void close() {
		this.clock.close();
	}

	@Override
	protected LockStore store() {
		return this.store;
	}

}
