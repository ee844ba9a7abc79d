package io.github.lockboot.annotation;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

/**
 * Tells whether a lock would be given back before the transaction is committed, which
 * lets the next holder read stale rows. Loaded only where Spring's transactions are
 * present.
 */
final class TransactionOrderCheck {

	private TransactionOrderCheck() {
	}

	static @Nullable String problem(ListableBeanFactory beanFactory, int order) {
		Map<String, BeanFactoryTransactionAttributeSourceAdvisor> advisors = beanFactory
			.getBeansOfType(BeanFactoryTransactionAttributeSourceAdvisor.class, true, false);
		return advisors.entrySet()
			.stream()
			.filter((advisor) -> advisor.getValue().getOrder() <= order)
			.map((advisor) -> problem(advisor.getKey(), advisor.getValue().getOrder(), order))
			.findFirst()
			.orElse(null);
	}

	/** What is woven into a method is inside of all its proxies. */
	static @Nullable String problemOfWoven(ListableBeanFactory beanFactory, List<LockedMethod> methods) {
		Collection<BeanFactoryTransactionAttributeSourceAdvisor> advisors = beanFactory
			.getBeansOfType(BeanFactoryTransactionAttributeSourceAdvisor.class, true, false)
			.values();
		return methods.stream()
			.filter((locked) -> advisors.stream()
				.anyMatch((advisor) -> AopUtils.canApply(advisor.getPointcut(), locked.bean().type())
						&& advisor.getPointcut().getMethodMatcher().matches(locked.method(), locked.bean().type())))
			.map((locked) -> locked.describe() + " has a transaction by a proxy, which begins before its woven lock is"
					+ " taken: set mode = ASPECTJ at @EnableTransactionManagement, or lock.aspect.mode=proxy")
			.findFirst()
			.orElse(null);
	}

	private static String problem(String advisor, int transactionOrder, int order) {
		return "The transaction advisor '" + advisor + "' has the order " + transactionOrder
				+ " and @DistributedLock the order " + order
				+ ": the lock would be given back before the commit. Set lock.aspect.order below " + transactionOrder
				+ ", or raise the order of @EnableTransactionManagement";
	}

}
