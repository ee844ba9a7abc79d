package io.github.lockboot.jdbc;

import java.util.List;

import org.junit.jupiter.api.Nested;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.aop.lock.AsynchronousEndsContract;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.TestDatabase;

class JdbcAsynchronousEndsTests {

	private static LockTemplate template(TestDatabase database, LockDefaults defaults, List<LockListener> listeners) {
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withKeyPrefix("ends:")
			.withLockDefaults(defaults)
			.withCreateTables(true);
		return new JdbcLockTemplate(database.dataSource(), settings, listeners);
	}

	abstract static class Ends extends AsynchronousEndsContract {

		@Override
		protected int oneOf() {
			return 3;
		}

	}

	@Nested
	class Mariadb extends Ends {

		@Override
		protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
			return JdbcAsynchronousEndsTests.template(TestDatabase.MARIADB, defaults, listeners);
		}

	}

	@Nested
	class Postgresql extends Ends {

		@Override
		protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
			return JdbcAsynchronousEndsTests.template(TestDatabase.POSTGRESQL, defaults, listeners);
		}

	}

}
