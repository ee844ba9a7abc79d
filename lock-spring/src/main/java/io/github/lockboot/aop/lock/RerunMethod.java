package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.TransactionOrder;

/**
 * Runs the calls of one method with {@link OnNotAcquired#RERUN}. A call that finds the
 * lock busy is recorded, and waits for its run in this instance. A run takes the record
 * before the method begins, so that a record of any time stands for calls without a run
 * yet. Who looks for it: the instances of these calls, the holder after its release, and
 * all instances periodically. Thread-safe.
 *
 * @param lock request of a call without a key, or the common part of all requests
 * @param beans returns the bean with a method
 * @param warned whether a warning was logged that this instance finds no records
 */
record RerunMethod(Method method, LockRequest lock, Reruns reruns, Function<Method, Object> beans,
		AtomicBoolean warned) {

	private static final Log logger = LogFactory.getLog(RerunMethod.class);

	/** The other types of keys from whose text the argument is restored. */
	private static final Set<Class<?>> KEYS = Set.of(String.class, Long.class, Integer.class, Short.class, UUID.class);

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);

	/** Check that any instance can run the method for the callers of another instance. */
	static void check(LockDeclaration declaration, LockRequest lock) {
		Method method = declaration.method();
		Assert.isTrue(method.getReturnType() == void.class,
				() -> "it returns a " + method.getReturnType().getSimpleName()
						+ ", which nobody receives from a run that begins later: return void, or set onNotAcquired"
						+ " = THROW or SKIP");
		Assert.isTrue(declaration.permits() == null && lock.isExclusive(),
				"several callers may hold its lock, so that there is no next run: use an exclusive lock");
		Assert.isTrue(declaration.isOfCall(), "its scope is TRANSACTION: set onNotAcquired = THROW or SKIP");
		Assert.isTrue(declaration.annotation().getString("condition").isEmpty(),
				"it has a condition, which may change before the next run: check the condition in the method");
		Class<?>[] parameters = method.getParameterTypes();
		boolean restored = (parameters.length == 0) ? declaration.key().isEmpty() : parameters.length == 1
				&& isKey(parameters[0]) && isParameter(declaration.key(), method.getParameters()[0].getName());
		Assert.isTrue(restored, "another instance could not run it without its arguments: declare no parameter and no"
				+ " key, or one String, UUID, enum, long, int or short, that is the key, such as key = \"#id\"");
	}

	private static boolean isKey(Class<?> parameter) {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(parameter);
		return type.isEnum() || KEYS.contains(type);
	}

	private static boolean isParameter(String key, String name) {
		return Set.of("#" + name, "#p0", "#a0").contains(key);
	}

	/** Return the record of a call. */
	RerunRecord record(LockOperations operations, LockRequest request) {
		return record(operations, request.name());
	}

	private RerunRecord record(LockOperations operations, String lock) {
		return new RerunRecord(operations, described() + lock.substring(this.lock.name().length()));
	}

	/**
	 * Record a call. The run must see what the caller's transaction has written, so that
	 * a run that begins before the commit is not enough.
	 */
	@Nullable Object skip(RerunRecord record, LockRequest request, MethodInvocation call) {
		want(record, request, call);
		if (TransactionOrder.TRANSACTIONS) {
			AfterCommit.run(() -> want(record, request, call));
		}
		return null;
	}

	private void want(RerunRecord record, LockRequest request, MethodInvocation call) {
		String last = record.begun();
		record.want();
		this.reruns.await(record, request, again(call), true, last);
	}

	/** Look for calls that were recorded during a run, whose lock is released. */
	void ended(RerunRecord record, LockRequest request, MethodInvocation call) {
		if (isWanted(record)) {
			this.reruns.await(record, request, again(call), false, null);
		}
	}

	/** Return whether to wait for another run; also if the store does not reply. */
	private static boolean isWanted(RerunRecord record) {
		try {
			return record.wanted() != null;
		}
		catch (LockException ex) {
			return true;
		}
	}

	private static MethodBody again(MethodInvocation call) {
		Object bean = (call instanceof ProxyMethodInvocation proxied) ? proxied.getProxy() : call.getThis();
		@Nullable Object[] arguments = call.getArguments().clone();
		return () -> AopUtils.invokeJoinpointUsingReflection(bean, call.getMethod(), arguments);
	}

	/**
	 * Look for records of instances that have ended, about once in the time of a lease.
	 */
	void watch(Supplier<LockOperations> operations) {
		this.reruns.every(period(), described(), () -> look(operations));
	}

	private Duration period() {
		Duration lease = Objects.requireNonNullElse(this.lock.leaseTime(), LEASE);
		return (lease.compareTo(SHORTEST_PERIOD) > 0) ? lease : SHORTEST_PERIOD;
	}

	private void look(Supplier<LockOperations> template) {
		try {
			LockOperations operations = template.get();
			if (this.method.getParameterCount() == 0) {
				RerunRecord record = record(operations, this.lock.name());
				if (record.wanted() != null) {
					this.reruns.await(record, this.lock, onBehalf(), false, null);
				}
			}
			else {
				record(operations, this.lock.name() + ":").keys(period()).forEach((key) -> adopt(operations, key));
			}
		}
		catch (LockException ex) {
			logger.debug(described() + " can't look for calls to run again", ex);
		}
		catch (RuntimeException ex) {
			if (this.warned.compareAndSet(false, true)) {
				logger.warn(described() + " is not run again for skipped calls of instances that have ended: "
						+ ex.getMessage());
			}
		}
	}

	private void adopt(LockOperations operations, String key) {
		LockRequest request = this.lock.name(this.lock.name() + ":" + key);
		Object argument = DefaultConversionService.getSharedInstance().convert(key, this.method.getParameterTypes()[0]);
		this.reruns.await(record(operations, request.name()), request, onBehalf(argument), false, null);
	}

	/** Call the method for a caller of another instance. */
	private MethodBody onBehalf(@Nullable Object... arguments) {
		return () -> {
			Object bean = this.beans.apply(this.method);
			return AopUtils.invokeJoinpointUsingReflection(bean,
					AopUtils.selectInvocableMethod(this.method, bean.getClass()), arguments);
		};
	}

	private String described() {
		return MethodNames.describe(this.method);
	}

	/**
	 * Loaded only where Spring's transactions are present.
	 */
	private static final class AfterCommit {

		private AfterCommit() {
		}

		static void run(Runnable task) {
			if (TransactionSynchronizationManager.isSynchronizationActive()
					&& TransactionSynchronizationManager.isActualTransactionActive()) {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						task.run();
					}

				});
			}
		}

	}

}
