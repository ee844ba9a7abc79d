package io.github.lockboot.engine;

import org.junit.jupiter.api.Nested;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;

/**
 * The contracts of all stores.
 */
public abstract class LockContracts {

	/**
	 * Return a store for one instance of an application.
	 * @return a store that shares its locks with the others of the same test
	 */
	protected abstract LockStore newStore(MonotonicClock clock);

	/** Return the defaults of all instances. */
	protected LockDefaults defaults() {
		return LockDefaults.defaults();
	}

	@Nested
	class Store extends LockStoreContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return LockContracts.this.newStore(clock);
		}

	}

	@Nested
	class Operations extends LockOperationsContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return LockContracts.this.newStore(clock);
		}

		@Override
		protected LockDefaults defaults() {
			return LockContracts.this.defaults();
		}

	}

	@Nested
	class SeveralLocks extends SeveralLocksContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return LockContracts.this.newStore(clock);
		}

		@Override
		protected LockDefaults defaults() {
			return LockContracts.this.defaults();
		}

	}

	/** Also those of a store with a queue. */
	public abstract static class WithQueue extends LockContracts {

		@Nested
		class ArrivalOrder extends ArrivalOrderContract {

			@Override
			protected LockStore newStore(MonotonicClock clock) {
				return WithQueue.this.newStore(clock);
			}

		}

		@Nested
		class Sharing extends SharingContract {

			@Override
			protected LockStore newStore(MonotonicClock clock) {
				return WithQueue.this.newStore(clock);
			}

			@Override
			protected LockDefaults defaults() {
				return WithQueue.this.defaults();
			}

		}

	}

}
