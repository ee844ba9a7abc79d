package io.github.lockboot.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.fixture.TestDatabase;

/**
 * Stores in the databases of the tests, with their tables.
 */
final class TestStores {

	/** The databases that have the tables. */
	private static final Map<TestDatabase, DatabaseDialect> DIALECTS = new ConcurrentHashMap<>();

	private TestStores() {
	}

	static JdbcLockStore store(TestDatabase database, MonotonicClock clock) {
		return store(database, clock, JdbcLockSettings.Strategy.OPTIMISTIC);
	}

	static JdbcLockStore store(TestDatabase database, MonotonicClock clock, JdbcLockSettings.Strategy strategy) {
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withLockDefaults(LockDefaults.defaults().withApplication("shop"))
			.withCreateTables(true)
			.withStrategy(strategy);
		DataSource dataSource = database.dataSource();
		DatabaseDialect dialect = DIALECTS.computeIfAbsent(database,
				(any) -> new LockTableCheck(dataSource, settings).run());
		return new JdbcLockStore(dataSource, clock, settings, dialect);
	}

}
