package io.github.lockboot.jdbc;

import java.util.List;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore;

/**
 * Locks in a database like those of a {@link JdbcLockTemplate}, with a clock of the test.
 */
public final class ClockedJdbcLocks {

	private ClockedJdbcLocks() {
	}

	/**
	 * Connect to the database.
	 * @param dataSource opens connections
	 * @param settings how the database is used
	 * @param clock time and timers; closed with the template
	 * @param listeners notified of events
	 * @param before wraps the store
	 * @return the template
	 */
	public static LockTemplate of(DataSource dataSource, JdbcLockSettings settings, MonotonicClock clock,
			List<LockListener> listeners, UnaryOperator<LockStore> before) {
		DatabaseDialect dialect = new LockTableCheck(dataSource, settings).run();
		return new LockTemplate(before.apply(new JdbcLockStore(dataSource, clock, settings, dialect)), clock,
				settings.lockDefaults(), listeners);
	}

}
