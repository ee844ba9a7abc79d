package io.github.lockboot.jdbc;

import org.junit.jupiter.api.Tag;

import io.github.lockboot.fixture.TestDatabase;

@Tag("long")
class PostgresqlAsynchronousEndsTests extends JdbcAsynchronousEnds {

	PostgresqlAsynchronousEndsTests() {
		super(TestDatabase.POSTGRESQL);
	}

}
