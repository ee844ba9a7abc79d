package io.github.lockboot.autoconfigure.jdbc;

import java.util.Map;

import io.github.lockboot.autoconfigure.store.LockBackend;

/**
 * Describes the store in a relational database.
 */
final class JdbcLockBackend implements LockBackend.Provider {

	static final String NAME = "jdbc";

	@Override
	public LockBackend get() {
		return new LockBackend(NAME, "in a database", "Spring Boot's JDBC support",
				"org.springframework.boot.jdbc.DataSourceBuilder", "io.github.lockboot:lock-spring-boot-starter-jdbc",
				JdbcLockProperties.class, (binder) -> JdbcLockProperties.bind(binder).statementTimeout(),
				Map.of(LockBackend.Setting.RETAIN_TIME,
						"Locks can't be retained if waiters poll, as they do in a database (lock.backend=jdbc). Remove"
								+ " the property"),
				"To lock in the database of spring.datasource set lock.backend=jdbc.");
	}

}
