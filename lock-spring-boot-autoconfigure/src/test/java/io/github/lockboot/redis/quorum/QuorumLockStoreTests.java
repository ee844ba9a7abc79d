package io.github.lockboot.redis.quorum;

import org.junit.jupiter.api.AfterAll;

import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.SystemLockClock;

class QuorumLockStoreTests extends LockStoreContract {

	private static final Masters masters = Masters.start();

	private static final LockClock clock = new SystemLockClock();

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
