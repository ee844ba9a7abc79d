package io.github.lockboot.lines;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.lockboot.jdbc.JdbcLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with locks in a database.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "lock.backend=jdbc", "lock.lease-time=3s", "lock.cache.enabled=false",
				"lock.jdbc.liquibase=true", "spring.liquibase.enabled=true",
				"spring.liquibase.change-log=classpath:changelog.xml" })
class DatabaseApplicationTests extends ApplicationContract {

	@Autowired
	JdbcTemplate database;

	@Override
	Class<?> template() {
		return JdbcLockTemplate.class;
	}

	@Test
	void aMigrationByLiquibaseHasALease() {
		assertThat(this.database.queryForObject("SELECT COUNT(*) FROM migrated", Integer.class)).isZero();
		assertThat(this.database.queryForObject("SELECT COUNT(*) FROM DATABASECHANGELOGLOCK_lease", Integer.class))
			.isEqualTo(1);
	}

}
