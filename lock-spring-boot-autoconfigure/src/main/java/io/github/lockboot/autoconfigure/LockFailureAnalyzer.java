package io.github.lockboot.autoconfigure;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.NoLockOperationsException;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.lock.ClosedContextException;
import io.github.lockboot.autoconfigure.store.LockBackends;

/**
 * Explains why an application with locks does not start and what to change.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class LockFailureAnalyzer extends AbstractFailureAnalyzer<LockException> {

	private final Environment environment;

	LockFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockException cause) {
		if (cause instanceof LockSetupException setup) {
			return new FailureAnalysis(setup.getMessage(), setup.action(), setup);
		}
		if (cause instanceof InvalidLockAnnotationException invalid) {
			return new FailureAnalysis(
					"These methods would not be locked as their annotations say:\n" + list(invalid.findings()),
					"Correct these methods. With lock.aspect.validation=warn the application starts"
							+ " nevertheless, but these methods run unlocked or fail.",
					invalid);
		}
		if (cause instanceof NoLockOperationsException missing) {
			return (missing.getCause() instanceof NoUniqueBeanDefinitionException several) ? several(missing, several)
					: none(missing);
		}
		if (!(cause instanceof LockUnavailableException unavailable)) {
			return null;
		}
		boolean stopped = unavailable instanceof ClosedContextException
				|| (unavailable.getCause() == null && unavailable.lockName() != null);
		return stopped ? stopped(unavailable) : unavailable(rootFailure, unavailable);
	}

	/** The store did not fail: the application was stopped during its start. */
	private static FailureAnalysis stopped(LockUnavailableException cause) {
		return new FailureAnalysis(
				cause.getMessage() + "\n\nThe application was stopped before its runners had ended, and one of them"
						+ " called a method that needs this lock.",
				"None, if you stopped the application.", cause);
	}

	private static FailureAnalysis none(NoLockOperationsException cause) {
		String present = LockBackends.hints().trim();
		return new FailureAnalysis(
				"There is no LockOperations bean to lock these methods with:\n" + list(cause.methods()),
				(present.isEmpty()
						? "Set lock.backend=jdbc and add lock-spring-boot-starter-jdbc to lock in a database."
						: present)
						+ " Or add spring-boot-starter-data-redis to the class path, define a LockOperations bean, or set"
						+ " lock.backend=local to lock within one JVM only. lock.enabled=false runs these methods"
						+ " without a lock.",
				cause);
	}

	private static FailureAnalysis several(NoLockOperationsException cause, NoUniqueBeanDefinitionException several) {
		return new FailureAnalysis(
				"There are several LockOperations beans and none of them is primary (" + several.getMessage()
						+ "), so it is undefined which one locks these methods:\n" + list(cause.methods()),
				"Mark one of the beans as @Primary, or the others as @Bean(defaultCandidate = false).", cause);
	}

	private FailureAnalysis unavailable(Throwable rootFailure, LockUnavailableException cause) {
		Throwable reason = NestedExceptionUtils.getMostSpecificCause(cause);
		String message = (reason.getMessage() != null) ? reason.getMessage() : reason.getClass().getSimpleName();
		Method byHand = templateByHand(rootFailure);
		if (byHand != null) {
			String method = MethodNames.describe(byHand);
			return new FailureAnalysis(
					cause.getMessage() + "\n\nThis is the store of the template that " + method
							+ " creates. The error is: " + message,
					"Start this store, or correct its address, its credentials and the rights of its user in " + method
							+ ". The properties of Spring Boot do not apply to it.",
					cause);
		}
		StartupFailureHint hint = new StartupFailureHint(this.environment);
		return new FailureAnalysis(cause.getMessage() + "\n\nThe application is configured to use " + hint.configured()
				+ ". The error is: " + message, hint.action(cause), cause);
	}

	/**
	 * Return the method of the application whose template cannot be created, if there is
	 * one.
	 */
	private static @Nullable Method templateByHand(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			Method method = (cause instanceof BeanInstantiationException instantiation)
					? instantiation.getConstructingMethod() : null;
			if (method != null && LockOperations.class.isAssignableFrom(method.getReturnType())
					&& !isAutoConfiguration(method.getDeclaringClass())) {
				return method;
			}
		}
		return null;
	}

	private static boolean isAutoConfiguration(Class<?> type) {
		Class<?> outer = type.getEnclosingClass();
		return type.isAnnotationPresent(AutoConfiguration.class) || (outer != null && isAutoConfiguration(outer));
	}

	private static String list(Iterable<String> items) {
		return "\n    - " + String.join("\n    - ", items) + "\n";
	}

}
