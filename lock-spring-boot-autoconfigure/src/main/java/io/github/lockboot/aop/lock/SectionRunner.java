package io.github.lockboot.aop.lock;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

import io.github.lockboot.aop.TransactionOrder;

/**
 * Runs the body of a call whose locks are held by the present thread, and takes part in
 * the setup of transaction managers. Thread-safe.
 */
interface SectionRunner extends BeanPostProcessor {

	/** Run a body. */
	@Nullable Object run(LockedInvocation invocation) throws Throwable;

	/**
	 * Return what runs bodies.
	 * @param keepUntilCompletion whether a lock that is taken inside a caller's
	 * transaction is kept until that one is completed
	 */
	static SectionRunner of(BeanFactory beanFactory, boolean keepUntilCompletion) {
		return TransactionOrder.TRANSACTIONS ? new TransactionalSections(beanFactory, keepUntilCompletion)
				: LockedInvocation::proceed;
	}

}
