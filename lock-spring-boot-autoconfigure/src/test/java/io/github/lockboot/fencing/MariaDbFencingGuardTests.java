package io.github.lockboot.fencing;

import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.TestDatabase;

@Timeout(120)
class MariaDbFencingGuardTests extends JdbcFencingGuardContract {

	MariaDbFencingGuardTests() {
		super(TestDatabase.MARIADB.dataSource(), "VARBINARY(1020)");
	}

}
