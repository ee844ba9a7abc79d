package io.github.lockboot.jdbc.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;

import io.github.lockboot.Internal;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fencing.TransactionManagers;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * Lets a transaction on the database of the locks commit only if its thread still owns
 * all locks that it holds: the last statement of the transaction locks the rows of the
 * locks, so that nobody acquires the locks before the transaction has ended. Thread-safe.
 */
@Internal
public final class CommitFence implements BeanPostProcessor, TransactionExecutionListener {

	private static final Log logger = LogFactory.getLog(CommitFence.class);

	private final List<JdbcLockTemplate> templates = new CopyOnWriteArrayList<>();

	private final List<ConfigurableTransactionManager> managers = new CopyOnWriteArrayList<>();

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager transactions) {
			transactions.addListener(this);
			this.managers.add(transactions);
		}
		if (bean instanceof JdbcLockTemplate template) {
			this.templates.add(template);
		}
		return bean;
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		if (transaction instanceof DefaultTransactionStatus status && status.isNewTransaction() && !status.isReadOnly()
				&& status.getTransaction() instanceof JdbcTransactionObjectSupport object
				&& object.hasConnectionHolder()) {
			this.templates.stream().filter(JdbcLockTemplate::isInSection).forEach((template) -> {
				status.flush(); // while nobody waits for the rows of the locks
				fence(template, object.getConnectionHolder());
			});
		}
	}

	/**
	 * Check that the users of the transactions have the rights for the last statement, as
	 * far as the database of the locks can be reached through the transaction managers.
	 * @throws LockUnavailableException if a user lacks a right
	 */
	public void checkRights() {
		if (!this.templates.isEmpty()) {
			this.managers.stream()
				.flatMap((transactions) -> Stream.ofNullable(TransactionManagers.dataSource(transactions)))
				.distinct()
				.forEach(this::checkRights);
		}
	}

	private void checkRights(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection()) {
			for (JdbcLockTemplate template : this.templates) {
				template.checkRights(connection);
			}
		}
		catch (LockUnavailableException ex) {
			throw ex;
		}
		// for example a replica, or a data source that routes by the caller
		catch (SQLException | RuntimeException ex) {
			logger.debug("The rights of transactions can't be checked: " + dataSource, ex);
		}
	}

	private static void fence(JdbcLockTemplate template, ConnectionHolder holder) {
		holder.requested();
		try {
			template.fence(holder);
		}
		catch (TransactionException ex) {
			// Spring treats it as a failure of the commit, which is no reason to roll
			// back
			throw new QueryTimeoutException("The transaction was not committed: " + ex.getMessage(), ex);
		}
		finally {
			holder.released();
		}
	}

}
