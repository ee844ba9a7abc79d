package io.github.lockboot.faults;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.jdbc.ClockedJdbcLocks;
import io.github.lockboot.jdbc.JdbcLockSettings;

/**
 * Connects the workers to a database.
 */
final class DatabaseWorkerStore implements WorkerStore {

	@Override
	public Address.Kind kind() {
		return Address.Kind.DATABASE;
	}

	@Override
	public LockTemplate connect(Address address, LockDefaults defaults, MonotonicClock clock,
			List<LockListener> listeners) {
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withCreateTables(true)
			.withStrategy(JdbcLockSettings.Strategy.valueOf(System.getProperty(Worker.STRATEGY)))
			.withStatementTimeout(FaultRun.COMMAND_TIMEOUT)
			.withLockDefaults(defaults);
		return ClockedJdbcLocks.of(address.dataSource(), settings, clock, listeners);
	}

}
