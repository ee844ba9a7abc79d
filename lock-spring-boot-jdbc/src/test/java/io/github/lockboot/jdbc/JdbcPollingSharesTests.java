package io.github.lockboot.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.PollingSharesContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.TestDatabase;

@Tag("long")
@ParameterizedClass
@EnumSource
class JdbcPollingSharesTests extends PollingSharesContract {

	private final TestDatabase database;

	JdbcPollingSharesTests(TestDatabase database) {
		this.database = database;
		database.dataSource(); // skips the tests if it does not start
	}

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(this.database, clock);
	}

}
