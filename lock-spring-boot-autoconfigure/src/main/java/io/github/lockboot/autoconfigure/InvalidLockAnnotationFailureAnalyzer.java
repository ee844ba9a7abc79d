package io.github.lockboot.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.github.lockboot.annotation.InvalidLockAnnotationException;

/**
 * Lists what is wrong with annotated methods.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class InvalidLockAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockAnnotationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockAnnotationException cause) {
		StringBuilder description = new StringBuilder("These methods would not be locked as their annotations say:\n");
		cause.findings().forEach((finding) -> description.append("\n    - ").append(finding));
		return new FailureAnalysis(description.append("\n").toString(),
				"Change what is listed. lock.aspect.validation=warn starts the application nevertheless,"
						+ " with methods that run unlocked or fail.",
				cause);
	}

}
