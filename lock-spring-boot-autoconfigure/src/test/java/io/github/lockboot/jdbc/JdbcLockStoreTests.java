package io.github.lockboot.jdbc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;

@ParameterizedClass
@EnumSource
class JdbcLockStoreTests extends LockStoreContract {

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final LockStore store;

	JdbcLockStoreTests(TestDatabase database) {
		this.store = database.store(this.clock);
	}

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
