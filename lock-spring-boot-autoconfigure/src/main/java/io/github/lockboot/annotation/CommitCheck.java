package io.github.lockboot.annotation;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;

/**
 * Lets a commit fail, so that the transaction is rolled back, if a lock was lost under
 * which it ran. Put into every transaction manager. Loaded only where Spring's
 * transactions are present.
 */
final class CommitCheck implements BeanPostProcessor, TransactionExecutionListener {

	private final TransactionalSections sections;

	CommitCheck(TransactionalSections sections) {
		this.sections = sections;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager transactions) {
			transactions.addListener(this);
		}
		return bean;
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		if (transaction instanceof TransactionStatus) { // and not a reactive one
			this.sections.ensureHeld();
		}
	}

}
