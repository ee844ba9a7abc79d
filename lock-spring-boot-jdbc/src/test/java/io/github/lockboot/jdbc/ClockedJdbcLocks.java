package io.github.lockboot.jdbc;

import java.util.List;

import javax.sql.DataSource;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;

/**
 * Locks in a database like those of a {@link JdbcLockTemplate}, with a clock of the test.
 */
public final class ClockedJdbcLocks {

	private ClockedJdbcLocks() {
	}

	/**
	 * Connect to the database.
	 * @param dataSource opens connections
	 * @param clock time and timers; closed with the template
	 * @param listeners notified of events
	 */
	public static LockTemplate of(DataSource dataSource, JdbcLockSettings settings, MonotonicClock clock,
			List<LockListener> listeners) {
		DatabaseDialect dialect = new LockTableCheck(dataSource, settings).run();
		return new LockTemplate(new JdbcLockStore(dataSource, clock, settings, dialect), clock, settings.lockDefaults(),
				listeners);
	}

}
