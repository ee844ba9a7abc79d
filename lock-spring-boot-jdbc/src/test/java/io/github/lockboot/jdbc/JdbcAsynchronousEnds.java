package io.github.lockboot.jdbc;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.aop.lock.AsynchronousEndsContract;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.TestDatabase;

/**
 * The asynchronous ends on a database.
 */
abstract class JdbcAsynchronousEnds extends AsynchronousEndsContract {

	private final TestDatabase database;

	JdbcAsynchronousEnds(TestDatabase database) {
		this.database = database;
	}

	@Override
	protected int oneOf() {
		return 3;
	}

	@Override
	protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withKeyPrefix("ends:")
			.withLockDefaults(defaults)
			.withCreateTables(true);
		return new JdbcLockTemplate(this.database.dataSource(), settings, listeners);
	}

}
