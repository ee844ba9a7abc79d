package io.github.lockboot.autoconfigure.jdbc;

import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.changelog.ChangeLogHistoryServiceFactory;
import liquibase.database.Database;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.integration.spring.Customizer;
import liquibase.integration.spring.SpringLiquibase;
import liquibase.lockservice.LockService;
import liquibase.lockservice.LockServiceFactory;
import liquibase.snapshot.SnapshotGeneratorFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.jdbc.liquibase.LeasedLockService;
import io.github.lockboot.jdbc.liquibase.MigrationConnection;

/**
 * Lets beans of Liquibase migrate on a {@link MigrationConnection}, for which Liquibase
 * then chooses the service of the locks.
 */
record MigrationLocks(Supplier<JdbcLockSettings> settings) implements BeanPostProcessor {

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof SpringLiquibase liquibase) {
			Customizer<Liquibase> others = liquibase.getCustomizer();
			liquibase.setCustomizer((migration) -> {
				connect(migration.getDatabase(), liquibase.getDataSource());
				createTables(migration.getDatabase());
				if (others != null) {
					others.customize(migration);
				}
			});
		}
		return bean;
	}

	private void connect(Database database, DataSource dataSource) {
		if (database.getConnection() instanceof JdbcConnection connection) {
			DataSource plain = new UnpooledDataSource(dataSource, (unchanged) -> {
			}, "Set spring.liquibase.url, user and password, or remove lock.jdbc.liquibase.");
			database.setConnection(
					new MigrationConnection(connection.getUnderlyingConnection(), (table) -> template(plain, table)));
		}
	}

	/**
	 * Create Liquibase's tables under the lock, which Liquibase acquires later: in an
	 * empty PostgreSQL one of two instances would fail.
	 */
	private static void createTables(Database database) {
		SnapshotGeneratorFactory tables = SnapshotGeneratorFactory.getInstance();
		LockService service = LockServiceFactory.getInstance().getLockService(database);
		try {
			if (service instanceof LeasedLockService && !(tables.hasDatabaseChangeLogTable(database)
					&& tables.hasDatabaseChangeLogLockTable(database))) {
				service.waitForLock();
				Scope.getCurrentScope()
					.getSingleton(ChangeLogHistoryServiceFactory.class)
					.getChangeLogService(database)
					.init();
				service.releaseLock();
			}
		}
		catch (LiquibaseException ex) { // which ends the connection, and so the lock
			throw new UnexpectedLiquibaseException(ex.getMessage(), ex);
		}
	}

	private JdbcLockTemplate template(DataSource dataSource, String table) {
		try {
			return new JdbcLockTemplate(dataSource,
					this.settings.get().withKeyPrefix("").withTable(table).withCreateTables(true), List.of());
		}
		catch (LockUnavailableException | IllegalArgumentException ex) {
			throw new LockSetupException(String.valueOf(ex.getMessage()),
					"With lock.jdbc.liquibase=true, the user of Liquibase needs the rights to create the table " + table
							+ ", in a schema whose name needs no quotes. Without that property"
							+ " DATABASECHANGELOGLOCK alone locks migrations, and stays locked if one is killed.");
		}
	}

}
