package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells which calls run in a transaction that their caller has begun, and that is older
 * than their lock. Loaded only where Spring's transactions are present.
 */
final class JoinedTransactions {

	private static final Log logger = LogFactory.getLog(JoinedTransactions.class);

	private static final Set<Integer> APART = Set.of(TransactionDefinition.PROPAGATION_REQUIRES_NEW,
			TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

	private final BeanFactory beanFactory;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	JoinedTransactions(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	boolean isJoined(MethodInvocation call) {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive() && !isApart(call);
	}

	private boolean isApart(MethodInvocation call) {
		TransactionAttribute own = attribute(call.getMethod(), call.getThis());
		return own != null && APART.contains(own.getPropagationBehavior());
	}

	private @Nullable TransactionAttribute attribute(Method method, @Nullable Object target) {
		TransactionAttributeSource source = this.beanFactory.getBeanProvider(TransactionAttributeSource.class)
			.getIfUnique();
		Class<?> type = (target != null) ? AopUtils.getTargetClass(target) : null;
		return (source != null) ? source.getTransactionAttribute(method, type) : null;
	}

	/**
	 * Say once for each method that its caller's transaction may have read before the
	 * lock was taken.
	 */
	void warn(LockAttributes attributes, boolean keptUntilCompletion) {
		if (this.warned.add(attributes.method())) {
			logger.warn(attributes.method() + " is called inside a transaction that began before its lock was taken,"
					+ " so that its snapshot may be older than the lock. The lock is given back when "
					+ (keptUntilCompletion ? "that transaction is completed"
							: "the method returns, before that transaction is committed")
					+ ". Begin the transaction inside the lock: put @DistributedLock on the caller");
		}
	}

}
