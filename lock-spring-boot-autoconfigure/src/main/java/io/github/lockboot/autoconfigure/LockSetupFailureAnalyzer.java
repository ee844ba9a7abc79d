package io.github.lockboot.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Tells what keeps Redis locks from being set up.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class LockSetupFailureAnalyzer extends AbstractFailureAnalyzer<LockSetupException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, LockSetupException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
