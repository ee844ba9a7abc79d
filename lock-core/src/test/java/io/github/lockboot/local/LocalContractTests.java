package io.github.lockboot.local;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockContracts;
import io.github.lockboot.engine.store.LockStore;

class LocalContractTests extends LockContracts.WithQueue {

	private @Nullable LocalLocks locks;

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		if (this.locks == null) {
			this.locks = new LocalLocks(clock);
		}
		return new LocalLockStore(this.locks);
	}

}
