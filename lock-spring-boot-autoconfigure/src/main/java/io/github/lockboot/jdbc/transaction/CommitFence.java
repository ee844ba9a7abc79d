package io.github.lockboot.jdbc.transaction;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;

import io.github.lockboot.Internal;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * Lets a transaction on the database of the locks commit only if its thread still owns
 * all locks that it holds: the last statement of the transaction locks the rows of the
 * locks, so that nobody acquires them before it has ended. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class CommitFence implements BeanPostProcessor, TransactionExecutionListener {

	private final List<JdbcLockTemplate> templates = new CopyOnWriteArrayList<>();

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager transactions) {
			transactions.addListener(this);
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

	private static void fence(JdbcLockTemplate template, ConnectionHolder holder) {
		holder.requested();
		try {
			template.fence(holder.getConnection());
		}
		finally {
			holder.released();
		}
	}

}
