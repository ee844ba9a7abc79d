package io.github.lockboot.cache.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.github.lockboot.cache.InvalidCacheAnnotationException;

/**
 * Lists the problems of annotated methods.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class InvalidCacheAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidCacheAnnotationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidCacheAnnotationException cause) {
		return new FailureAnalysis(
				"These methods can't be cached as their annotations declare:\n\n    - "
						+ String.join("\n    - ", cause.findings()) + "\n",
				"Correct the listed methods. With lock.cache.aspect.validation=warn the application starts, and"
						+ " these methods run uncached or fail. With lock.cache.enabled=false all methods run uncached.",
				cause);
	}

}
