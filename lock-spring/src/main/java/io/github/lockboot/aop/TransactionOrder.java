package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Determines whether an advice would end before the transaction of a method is committed.
 * This class can be used only where Spring's transactions are {@link #TRANSACTIONS
 * present}.
 */
@Internal
public final class TransactionOrder {

	/** Whether Spring's transactions are on the class path. */
	public static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor",
			TransactionOrder.class.getClassLoader());

	private TransactionOrder() {
	}

	/**
	 * Return what is wrong with the order of an advice, as a sentence with the solution,
	 * or {@code null}.
	 * @param advice name of the advice
	 * @param consequence what would happen before the commit
	 * @param property the property that sets the order
	 */
	public static @Nullable String problem(ListableBeanFactory beanFactory, String advice, int order,
			String consequence, String property) {
		for (Map.Entry<String, BeanFactoryTransactionAttributeSourceAdvisor> found : advisors(beanFactory).entrySet()) {
			int inner = found.getValue().getOrder();
			if (inner <= order) {
				return "The transaction advisor '" + found.getKey() + "' has the order " + inner + " and " + advice
						+ " the order " + order + ": " + consequence + " before the commit. Set " + property + " below "
						+ inner + ", or raise the order of @EnableTransactionManagement";
			}
		}
		return null;
	}

	/** Return the methods whose transaction comes from a proxy. */
	public static <D> List<AnnotatedMethod<D>> transactional(ListableBeanFactory beanFactory,
			List<AnnotatedMethod<D>> methods) {
		Map<String, BeanFactoryTransactionAttributeSourceAdvisor> advisors = advisors(beanFactory);
		return methods.stream()
			.filter((method) -> advisors.values()
				.stream()
				.anyMatch((advisor) -> AopUtils.canApply(advisor.getPointcut(), method.beanType())
						&& advisor.getPointcut().getMethodMatcher().matches(method.method(), method.beanType())))
			.toList();
	}

	/** Return the attribute of a method, {@code null} if it has no transaction. */
	public static @Nullable TransactionAttribute attribute(BeanFactory beanFactory, Method method,
			@Nullable Class<?> type) {
		TransactionAttributeSource source = beanFactory.getBeanProvider(TransactionAttributeSource.class).getIfUnique();
		return (source != null) ? source.getTransactionAttribute(method, type) : null;
	}

	private static Map<String, BeanFactoryTransactionAttributeSourceAdvisor> advisors(ListableBeanFactory beanFactory) {
		return beanFactory.getBeansOfType(BeanFactoryTransactionAttributeSourceAdvisor.class, true, false);
	}

}
