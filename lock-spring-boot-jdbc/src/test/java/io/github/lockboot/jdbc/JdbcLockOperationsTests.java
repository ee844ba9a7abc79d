package io.github.lockboot.jdbc;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockOperationsContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.TestDatabase;

@ParameterizedClass
@EnumSource(names = { "MARIADB", "POSTGRESQL" })
class JdbcLockOperationsTests extends LockOperationsContract {

	private final TestDatabase database;

	JdbcLockOperationsTests(TestDatabase database) {
		this.database = database;
		database.dataSource(); // skips the tests if it does not start
	}

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(this.database, clock);
	}

}
