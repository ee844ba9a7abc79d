package io.github.lockboot.jdbc;

import org.junit.jupiter.api.Tag;

import io.github.lockboot.fixture.TestDatabase;

@Tag("long")
class MariadbAsynchronousEndsTests extends JdbcAsynchronousEnds {

	MariadbAsynchronousEndsTests() {
		super(TestDatabase.MARIADB);
	}

}
