package io.github.lockboot.jdbc;

import io.github.lockboot.fixture.TestDatabase;

class PostgresqlAsynchronousEndsTests extends JdbcAsynchronousEnds {

	PostgresqlAsynchronousEndsTests() {
		super(TestDatabase.POSTGRESQL);
	}

}
