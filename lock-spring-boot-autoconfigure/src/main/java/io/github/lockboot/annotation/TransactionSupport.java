package io.github.lockboot.annotation;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * What locked calls have to do with Spring's transactions, which need not be present.
 *
 * @param sections runs the bodies of calls
 * @param commitCheck lets a commit fail if a lock was lost
 */
record TransactionSupport(SectionRunner sections, BeanPostProcessor commitCheck) {

	static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor",
			TransactionSupport.class.getClassLoader());

	static TransactionSupport of(BeanFactory beanFactory, boolean keepUntilCompletion) {
		return PRESENT ? WithTransactions.create(beanFactory, keepUntilCompletion)
				: new TransactionSupport(SectionRunner.PLAIN, new BeanPostProcessor() {
				});
	}

	private static final class WithTransactions {

		static TransactionSupport create(BeanFactory beanFactory, boolean keepUntilCompletion) {
			TransactionalSections sections = new TransactionalSections(new JoinedTransactions(beanFactory),
					keepUntilCompletion);
			return new TransactionSupport(sections, new CommitCheck(sections));
		}

	}

}
