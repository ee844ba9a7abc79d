package io.github.lockboot.zookeeper;

import org.junit.jupiter.api.AfterEach;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

class ZookeeperLockStoreTests extends LockStoreContract {

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final LockStore store = TestStores.store(this.clock);

	@AfterEach
	void close() {
		this.store.close();
		this.clock.close();
	}

	@Override
	protected LockStore store() {
		return this.store;
	}

}
