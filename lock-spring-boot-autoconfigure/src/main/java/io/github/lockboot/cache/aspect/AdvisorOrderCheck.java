package io.github.lockboot.cache.aspect;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

/**
 * Tells whether a result would be kept before the transaction is committed that it was
 * read in. Loaded only where Spring's transactions are present.
 */
final class AdvisorOrderCheck {

	private AdvisorOrderCheck() {
	}

	static @Nullable String problem(ListableBeanFactory beanFactory, int order) {
		return beanFactory.getBeansOfType(BeanFactoryTransactionAttributeSourceAdvisor.class, true, false)
			.values()
			.stream()
			.filter((advisor) -> advisor.getOrder() <= order)
			.map((advisor) -> "The transaction advisor has the order " + advisor.getOrder()
					+ " and the cache the order " + order
					+ ": results would be kept, and entries evicted, before the commit. Set"
					+ " lock.cache.aspect.order below " + advisor.getOrder())
			.findFirst()
			.orElse(null);
	}

}
