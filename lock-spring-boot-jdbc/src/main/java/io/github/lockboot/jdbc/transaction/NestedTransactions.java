package io.github.lockboot.jdbc.transaction;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.Internal;

/**
 * Remembers for each thread which connections have a transaction that is nested in
 * another one by a savepoint ({@code NESTED}). Thread-safe.
 */
@Internal
public final class NestedTransactions implements BeanPostProcessor, TransactionExecutionListener {

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager transactions) {
			transactions.addListener(this);
		}
		return bean;
	}

	/**
	 * Return whether a transaction is nested. The resource of the thread has the holder
	 * of the connection as the key and the outermost nested transaction as the value.
	 */
	static boolean isNested(ConnectionHolder transaction) {
		return TransactionSynchronizationManager.hasResource(transaction);
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
		ConnectionHolder holder = nested(transaction);
		if (failure == null && holder != null && !isNested(holder)) {
			TransactionSynchronizationManager.bindResource(holder, transaction);
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
		end(transaction);
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
		end(transaction);
	}

	private static void end(TransactionExecution transaction) {
		ConnectionHolder holder = nested(transaction);
		if (holder != null && TransactionSynchronizationManager.getResource(holder) == transaction) {
			TransactionSynchronizationManager.unbindResource(holder);
		}
	}

	private static @Nullable ConnectionHolder nested(TransactionExecution transaction) {
		return transaction.isNested() && transaction instanceof DefaultTransactionStatus status
				&& status.getTransaction() instanceof JdbcTransactionObjectSupport object
				&& object.hasConnectionHolder() ? object.getConnectionHolder() : null;
	}

}
