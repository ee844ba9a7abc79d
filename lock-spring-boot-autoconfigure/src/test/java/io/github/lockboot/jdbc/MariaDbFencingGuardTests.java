package io.github.lockboot.jdbc;

import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MariaDbFencingGuardTests extends JdbcFencingGuardContract {

	MariaDbFencingGuardTests() {
		super(TestDatabase.MARIADB.dataSource(), "VARBINARY(1020)");
	}

}
