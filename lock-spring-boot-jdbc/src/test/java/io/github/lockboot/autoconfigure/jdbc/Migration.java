package io.github.lockboot.autoconfigure.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

import liquibase.Scope;
import liquibase.database.Database;
import liquibase.integration.spring.SpringLiquibase;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.jdbc.JdbcLockSettings;

/**
 * A migration of a schema, as an instance with leases runs it at its start.
 */
record Migration(DataSource dataSource, String schema, Duration lease) {

	static DataSource dataSource(String url, String user, String password) {
		try {
			return new SimpleDriverDataSource(DriverManager.getDriver(url), url, user, password);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void run() throws Exception {
		SpringLiquibase liquibase = new SpringLiquibase();
		liquibase.setDataSource(this.dataSource);
		liquibase.setResourceLoader(new DefaultResourceLoader());
		liquibase.setChangeLog("classpath:io/github/lockboot/autoconfigure/jdbc/changelog.xml");
		liquibase.setChangeLogParameters(Map.of("schema", this.schema));
		liquibase.setAnalyticsEnabled(false);
		new MigrationLocks(() -> JdbcLockSettings.defaults()
			.withLockDefaults(LockDefaults.defaults().withLeaseTime(this.lease).withApplication("\u5546\u5e97 shop")))
			.postProcessBeforeInitialization(liquibase, "liquibase");
		liquibase.afterPropertiesSet();
	}

	/** Run with a wait that ends soon. */
	void runImpatiently() throws Exception {
		Scope.child(Map.of("liquibase.changelogLockWaitTimeInMinutes", 0L, "liquibase.changelogLockPollRate", 1L),
				this::run);
	}

	/**
	 * Migrate in a JVM of its own, which waits for a line of input in the slow change.
	 */
	public static void main(String[] args) throws Exception {
		SlowChange.ACTIONS.put(args[3], Migration::awaitInput);
		try {
			new Migration(dataSource(args[0], args[1], args[2]), args[3], Duration.parse(args[4])).run();
			System.out.println("end: done");
		}
		catch (Exception ex) {
			ex.printStackTrace();
			System.out.println("end: failed");
		}
	}

	private static void awaitInput(Database database) {
		System.out.println("migrating");
		try {
			System.in.read();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
