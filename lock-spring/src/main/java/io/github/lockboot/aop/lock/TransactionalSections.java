package io.github.lockboot.aop.lock;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.aop.lock.TransactionBoundLocks.TransactionBoundLock;

/**
 * Runs methods whose locks are held, with respect to transactions. A lock that is
 * acquired inside a caller's transaction is held until the transaction is completed. A
 * commit fails, so that the transaction is rolled back, if a lock that protects the
 * transaction was lost. Loaded only where Spring's transactions are present. Thread-safe.
 */
final class TransactionalSections implements BeanPostProcessor, TransactionExecutionListener {

	private static final Log logger = LogFactory.getLog(TransactionalSections.class);

	private static final Set<Integer> APART = Set.of(TransactionDefinition.PROPAGATION_REQUIRES_NEW,
			TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

	private static final boolean ENTITIES = Stream
		.of("org.springframework.orm.jpa.EntityManagerHolder", "org.hibernate.Session",
				"jakarta.persistence.PersistenceException")
		.allMatch((type) -> ClassUtils.isPresent(type, TransactionalSections.class.getClassLoader()));

	private final ThreadLocal<@Nullable OpenSection> innermost = new ThreadLocal<>();

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	private final @Nullable LoadedEntities loadedEntities = ENTITIES ? new LoadedEntities() : null;

	private final BeanFactory beanFactory;

	private final boolean keepUntilCompletion;

	TransactionalSections(BeanFactory beanFactory, boolean keepUntilCompletion) {
		this.beanFactory = beanFactory;
		this.keepUntilCompletion = keepUntilCompletion;
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
		if (!(transaction instanceof TransactionStatus)) {
			return; // reactive
		}
		for (OpenSection open = this.innermost.get(); open != null; open = open.outer()) {
			open.ensureHeld();
		}
		TransactionBoundLocks bound = boundLocks();
		if (bound != null) {
			bound.ensureHeld();
		}
	}

	@Nullable Object run(LockedMethod.LockedCall call) throws Throwable {
		OpenSection outer = this.innermost.get();
		if (isInTransactionOfCaller(call.invocation())) {
			join(call, outer);
		}
		else if (outer == null && this.loadedEntities != null
				&& !TransactionSynchronizationManager.getResourceMap().isEmpty()) {
			this.loadedEntities.warn(call.method().description());
		}
		this.innermost.set(new OpenSection(call.operations(), call.request(), outer));
		try {
			return call.body().proceed();
		}
		finally {
			if (outer != null) {
				this.innermost.set(outer);
			}
			else {
				this.innermost.remove();
			}
		}
	}

	private boolean isInTransactionOfCaller(MethodInvocation call) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return false;
		}
		Object target = call.getThis();
		TransactionAttribute own = TransactionOrder.attribute(this.beanFactory, call.getMethod(),
				(target != null) ? AopUtils.getTargetClass(target) : null);
		return own == null || !APART.contains(own.getPropagationBehavior());
	}

	private void join(LockedMethod.LockedCall call, @Nullable OpenSection outer) {
		for (String name : call.request().names()) {
			TransactionBoundLock lock = new TransactionBoundLock(call.operations(), name, call.request().permits());
			TransactionBoundLocks bound = boundLocks();
			boolean older = (outer != null && outer.contains(lock)) || (bound != null && bound.contains(lock));
			if (!older) {
				warn(call.method().description());
				bind(lock, bound);
			}
		}
	}

	/** Warn once for each method. */
	private void warn(String method) {
		if (this.warned.add(method)) {
			logger.warn(method + " is called inside a transaction that began before the lock of the method was"
					+ " acquired, so that the snapshot of the transaction may be older than the lock. The lock"
					+ " is released when "
					+ (this.keepUntilCompletion ? "that transaction is completed"
							: "the method returns, before that transaction is committed")
					+ ". Begin the transaction inside the lock: put @DistributedLock on the caller");
		}
	}

	private void bind(TransactionBoundLock lock, @Nullable TransactionBoundLocks bound) {
		if (!this.keepUntilCompletion) {
			return;
		}
		TransactionBoundLocks locks = bound;
		if (locks == null) {
			locks = new TransactionBoundLocks(this);
			TransactionSynchronizationManager.bindResource(this, locks);
			TransactionSynchronizationManager.registerSynchronization(locks);
		}
		locks.add(lock);
	}

	private @Nullable TransactionBoundLocks boundLocks() {
		return (TransactionBoundLocks) TransactionSynchronizationManager.getResource(this);
	}

	/**
	 * A call that runs on the current thread.
	 */
	private record OpenSection(LockOperations operations, LockRequest request, @Nullable OpenSection outer) {

		boolean contains(TransactionBoundLock lock) {
			boolean own = this.operations == lock.operations() && this.request.names().contains(lock.name());
			return own || (this.outer != null && this.outer.contains(lock));
		}

		void ensureHeld() {
			this.request.names().forEach(this.operations::ensureHeld);
		}

	}

}
