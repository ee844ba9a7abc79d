package io.github.lockboot.jdbc;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockOperationsContract;
import io.github.lockboot.engine.SeveralLocksContract;
import io.github.lockboot.engine.SharingContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.TestDatabase;

@ParameterizedClass
@EnumSource(names = { "MARIADB", "POSTGRESQL" })
class JdbcContractTests {

	private final TestDatabase database;

	JdbcContractTests(TestDatabase database) {
		this.database = database;
		database.dataSource(); // skips the tests if it does not start
	}

	@Nested
	class Operations extends LockOperationsContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return TestStores.store(JdbcContractTests.this.database, clock);
		}

	}

	@Nested
	class SeveralLocks extends SeveralLocksContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return TestStores.store(JdbcContractTests.this.database, clock);
		}

	}

	@Nested
	class Sharing extends SharingContract {

		@Override
		protected LockStore newStore(MonotonicClock clock) {
			return TestStores.store(JdbcContractTests.this.database, clock);
		}

	}

}
