package io.github.lockboot.transaction;

import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.Internal;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.LockTemplate;

/**
 * Warns once if a section of a template has released its locks inside a transaction. The
 * locks of annotated methods, which have a group, are kept until the commit where that is
 * possible.
 */
@Internal
public final class OpenTransactionWarning implements BeanPostProcessor {

	private static final Log logger = LogFactory.getLog(OpenTransactionWarning.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof LockTemplate template) {
			template.afterSection(TransactionSynchronizationManager::isActualTransactionActive,
					this::warnOfOpenTransaction);
		}
		return bean;
	}

	private void warnOfOpenTransaction(LockRequest request) {
		if (request.group() == null && !this.warned.get() && TransactionSynchronizationManager.isSynchronizationActive()
				&& !TransactionSynchronizationManager.isCurrentTransactionReadOnly()
				&& this.warned.compareAndSet(false, true)) {
			logger.warn("Lock '" + request.names().get(0) + "' was released inside a transaction that is not committed"
					+ " yet, so that the next holder may not see the changes of the section. Begin the transaction"
					+ " inside the section, or use @DistributedLock, which keeps the lock until the commit. Further"
					+ " sections are not logged");
		}
	}

}
