package io.github.lockboot.jdbc;

import io.github.lockboot.fixture.TestDatabase;

class MariadbAsynchronousEndsTests extends JdbcAsynchronousEnds {

	MariadbAsynchronousEndsTests() {
		super(TestDatabase.MARIADB);
	}

}
