package io.github.lockboot.local;

import org.junit.jupiter.api.AfterEach;

import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.SystemLockClock;

class LocalLockStoreTests extends LockStoreContract {

	private final LockClock clock = new SystemLockClock();

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
