package io.github.lockboot.aop.lock;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
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

import io.github.lockboot.LockLostException;
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

	/** Takes the methods that ignore a loss, in a rehearsal. */
	private volatile @Nullable BiConsumer<String, String> ignored;

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
	public void beforeBegin(TransactionExecution transaction) {
		if (this.ignored != null) {
			unobserved(() -> {
				for (OpenSection open = this.innermost.get(); open != null; open = open.outer) {
					open.begunAfterLoss |= open.isLossIgnored();
				}
			});
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		if (!(transaction instanceof TransactionStatus)) {
			return; // reactive
		}
		unobserved(this::ensureHeld);
	}

	private void ensureHeld() {
		for (OpenSection open = this.innermost.get(); open != null; open = open.outer) {
			report("was to be committed", open, this.ignored != null && open.isLossIgnored());
			open.ensureHeld();
		}
		TransactionBoundLocks bound = boundLocks();
		if (bound != null) {
			bound.ensureHeld();
		}
	}

	/** Ask in a way that is not taken for a check of the method. */
	private void unobserved(Runnable checks) {
		OpenSection open = this.innermost.get();
		if (open == null) {
			checks.run();
			return;
		}
		open.asking = true;
		try {
			checks.run();
		}
		finally {
			open.asking = false;
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
		OpenSection open = new OpenSection(call.operations(), call.request(), call.method().description(), outer);
		this.innermost.set(open);
		try {
			return call.body().proceed();
		}
		finally {
			report("began", open, open.begunAfterLoss && !open.checked);
			if (outer != null) {
				this.innermost.set(outer);
			}
			else {
				this.innermost.remove();
			}
		}
	}

	/** Report methods that ignore the loss of their lock, for a rehearsal. */
	void onIgnoredLoss(BiConsumer<String, String> ignored) {
		this.ignored = ignored;
	}

	/** Note that the current thread asks whether it still holds a lock. */
	void checked(String lock) {
		OpenSection innermost = this.innermost.get();
		if (innermost != null && !innermost.asking) {
			for (OpenSection open = innermost; open != null; open = open.outer) {
				open.checked |= open.request.names().contains(lock);
			}
		}
	}

	private void report(String what, OpenSection open, boolean isIgnored) {
		BiConsumer<String, String> ignored = this.ignored;
		if (ignored != null && isIgnored && !open.reported) {
			open.reported = true;
			ignored.accept(open.method, what);
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
	 * A call that runs on the current thread, which alone uses this object.
	 */
	private static final class OpenSection {

		private final LockOperations operations;

		private final LockRequest request;

		private final String method;

		private final @Nullable OpenSection outer;

		/** Whether the method has asked whether it still holds its lock. */
		private boolean checked;

		/** Whether this library asks for the method. */
		private boolean asking;

		private boolean begunAfterLoss;

		private boolean reported;

		OpenSection(LockOperations operations, LockRequest request, String method, @Nullable OpenSection outer) {
			this.operations = operations;
			this.request = request;
			this.method = method;
			this.outer = outer;
		}

		/** Return whether the lock is lost, and the method has never asked. */
		boolean isLossIgnored() {
			if (this.checked) {
				return false;
			}
			try {
				ensureHeld();
				return false;
			}
			catch (LockLostException ex) {
				return true;
			}
		}

		boolean contains(TransactionBoundLock lock) {
			boolean own = this.operations == lock.operations() && this.request.names().contains(lock.name());
			return own || (this.outer != null && this.outer.contains(lock));
		}

		void ensureHeld() {
			this.request.names().forEach(this.operations::ensureHeld);
		}

	}

}
