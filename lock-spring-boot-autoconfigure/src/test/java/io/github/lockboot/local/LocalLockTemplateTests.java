package io.github.lockboot.local;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.LockClock;
import io.github.lockboot.engine.LockOperationsContract;
import io.github.lockboot.engine.LockStore;

class LocalLockTemplateTests extends LockOperationsContract {

	private @Nullable LockStore store;

	@Override
	protected LockStore newStore(LockClock clock) {
		if (this.store == null) {
			this.store = new LocalLockStore(clock);
		}
		return this.store;
	}

}
