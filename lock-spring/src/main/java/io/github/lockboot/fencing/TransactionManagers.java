package io.github.lockboot.fencing;

import java.sql.Connection;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Access to the properties that the transaction managers of JDBC and JPA have in common,
 * without a common type.
 */
@Internal
public final class TransactionManagers {

	private static final boolean JPA = ClassUtils.isPresent("org.springframework.orm.jpa.JpaTransactionManager",
			TransactionManagers.class.getClassLoader())
			&& ClassUtils.isPresent("jakarta.persistence.EntityManager", TransactionManagers.class.getClassLoader());

	private TransactionManagers() {
	}

	/**
	 * Return the database of the transactions, or {@code null} if the manager does not
	 * use JDBC.
	 */
	public static @Nullable DataSource dataSource(TransactionManager transactions) {
		BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(transactions);
		return (properties.isReadableProperty("dataSource")
				&& properties.getPropertyValue("dataSource") instanceof DataSource dataSource) ? dataSource : null;
	}

	/**
	 * Return a data source for statements before a transaction begins: that of the
	 * transaction, or the connection that an open persistence context of the thread has.
	 * In a request with {@code spring.jpa.open-in-view} another connection could be one
	 * too many for the pool.
	 */
	static DataSource present(TransactionManager transactions, DataSource dataSource) {
		Connection present = JPA ? PersistenceContexts.connection(transactions) : null;
		return (present != null) ? new SingleConnectionDataSource(present, true) : dataSource;
	}

	/**
	 * Return a template of new, independent transactions, also at the end of another one.
	 */
	static TransactionTemplate requiringNew(DataSource dataSource) {
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		TransactionTemplate transactions = new TransactionTemplate(manager);
		transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return transactions;
	}

}
