package io.github.lockboot.fencing;

import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.TestDatabase;

@Timeout(120)
class PostgresFencingGuardTests extends JdbcFencingGuardContract {

	PostgresFencingGuardTests() {
		super(TestDatabase.POSTGRESQL.dataSource(), "VARCHAR(255)");
	}

}
