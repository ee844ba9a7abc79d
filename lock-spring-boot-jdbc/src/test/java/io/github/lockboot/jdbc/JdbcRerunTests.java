package io.github.lockboot.jdbc;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.aop.lock.RerunContract;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.TestDatabase;

@Tag("long")
@ParameterizedClass
@EnumSource(names = { "POSTGRESQL", "MARIADB" })
class JdbcRerunTests extends RerunContract {

	private final TestDatabase database;

	JdbcRerunTests(TestDatabase database) {
		this.database = database;
	}

	@Override
	protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withKeyPrefix("rerun-tests:")
			.withLockDefaults(defaults)
			.withCreateTables(true);
		return new JdbcLockTemplate(this.database.dataSource(), settings, listeners);
	}

}
