package io.github.lockboot.jdbc.transaction;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Access to the properties that the transaction managers of JDBC and JPA have in common,
 * without a common type.
 */
final class TransactionManagers {

	private TransactionManagers() {
	}

	/**
	 * Return the database of the transactions, or {@code null} if the manager does not
	 * use JDBC.
	 */
	static @Nullable DataSource dataSource(TransactionManager transactions) {
		BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(transactions);
		return (properties.isReadableProperty("dataSource")
				&& properties.getPropertyValue("dataSource") instanceof DataSource dataSource) ? dataSource : null;
	}

	/** Return a template of new, independent transactions. */
	static TransactionTemplate requiringNew(DataSource dataSource) {
		TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return transactions;
	}

}
