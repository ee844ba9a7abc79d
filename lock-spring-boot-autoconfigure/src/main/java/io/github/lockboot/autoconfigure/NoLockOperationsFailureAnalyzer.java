package io.github.lockboot.autoconfigure;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.github.lockboot.annotation.NoLockOperationsException;

/**
 * Tells how to get something that annotated methods can be locked with.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class NoLockOperationsFailureAnalyzer extends AbstractFailureAnalyzer<NoLockOperationsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoLockOperationsException cause) {
		return (cause.getCause() instanceof NoUniqueBeanDefinitionException several) ? several(cause, several)
				: none(cause);
	}

	private FailureAnalysis none(NoLockOperationsException cause) {
		return new FailureAnalysis("There is no LockOperations bean to lock these methods with:\n" + methods(cause),
				"Add spring-boot-starter-data-redis to the class path, define a LockOperations bean, or set"
						+ " lock.backend=local to lock within one JVM only. lock.enabled=false runs these methods"
						+ " without a lock.",
				cause);
	}

	private FailureAnalysis several(NoLockOperationsException cause, NoUniqueBeanDefinitionException several) {
		return new FailureAnalysis(
				"There are several LockOperations beans and none of them is primary (" + several.getMessage()
						+ "), so it is not known with which to lock these methods:\n" + methods(cause),
				"Mark one of the beans as @Primary, or the others as @Bean(defaultCandidate = false).", cause);
	}

	private static String methods(NoLockOperationsException cause) {
		return "\n    - " + String.join("\n    - ", cause.methods()) + "\n";
	}

}
