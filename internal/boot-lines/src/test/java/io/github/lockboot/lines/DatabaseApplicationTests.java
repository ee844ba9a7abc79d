package io.github.lockboot.lines;

import java.util.ArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.jdbc.JdbcLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application with locks in a database.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "lock.backend=jdbc", "lock.lease-time=3s", "lock.cache.enabled=false",
				"lock.jdbc.liquibase=true", "spring.liquibase.enabled=true",
				"spring.liquibase.change-log=classpath:changelog.xml" })
@Timeout(60)
class DatabaseApplicationTests {

	@Autowired
	LockOperations locks;

	@Autowired
	JdbcTemplate database;

	@Autowired
	Orders orders;

	@Value("${local.server.port}")
	int port;

	@Test
	void anAnnotatedMethodHoldsItsLock() {
		assertThat(this.locks).isInstanceOf(JdbcLockTemplate.class);
		assertThat(this.orders.pay("plain")).isTrue();
	}

	@Test
	void theLockIsARow() {
		assertThat(this.locks.<Integer, RuntimeException>execute("stock",
				() -> this.database.queryForObject(
						"SELECT COUNT(*) FROM distributed_lock WHERE name = 'lock:stock' AND state = 'HELD'",
						Integer.class)))
			.isEqualTo(1);
	}

	@Test
	void theLockOutlivesTheCommit() {
		assertThat(this.orders.payInTransaction("committed", new ArrayList<>())).containsExactly(true, true);
	}

	@Test
	void aLostLockRollsTheTransactionBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.payAndLoseTheLock("lost"));
		assertThat(this.orders.count("lost")).isZero();
	}

	@Test
	void aMigrationByLiquibaseHasALease() {
		assertThat(this.database.queryForObject("SELECT COUNT(*) FROM migrated", Integer.class)).isZero();
		assertThat(this.database.queryForObject("SELECT COUNT(*) FROM DATABASECHANGELOGLOCK_lease", Integer.class))
			.isEqualTo(1);
	}

	@Test
	void theHealthOfTheLocksIsShown() {
		assertThat(new Actuator(this.port).get("health/locks").body()).contains("\"status\":\"UP\"");
	}

}
