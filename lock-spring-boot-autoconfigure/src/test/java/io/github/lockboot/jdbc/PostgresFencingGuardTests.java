package io.github.lockboot.jdbc;

import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresFencingGuardTests extends JdbcFencingGuardContract {

	PostgresFencingGuardTests() {
		super(TestDatabase.POSTGRESQL.dataSource(), "VARCHAR(255)");
	}

}
