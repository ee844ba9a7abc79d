package io.github.lockboot.redis.redlock;

import org.junit.jupiter.api.Nested;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockContracts;
import io.github.lockboot.engine.PollingSharesContract;
import io.github.lockboot.engine.store.LockStore;

class RedlockContractTests extends LockContracts {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return Masters.shared().store(clock);
	}

	@Nested
	class PollingShares extends PollingSharesContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return RedlockContractTests.this.newStore(clock);
		}

	}

}
