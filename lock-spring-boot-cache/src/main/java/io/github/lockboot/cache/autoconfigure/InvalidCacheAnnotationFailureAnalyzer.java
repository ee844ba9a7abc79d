package io.github.lockboot.cache.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.github.lockboot.cache.InvalidCacheAnnotationException;

/**
 * Lists what is wrong with methods that are to be cached.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class InvalidCacheAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidCacheAnnotationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidCacheAnnotationException cause) {
		StringBuilder description = new StringBuilder("These methods would not be cached as their annotations say:\n");
		cause.findings().forEach((finding) -> description.append("\n    - ").append(finding));
		return new FailureAnalysis(description.append("\n").toString(),
				"Change what is listed. lock.cache.aspect.validation=warn starts the application nevertheless, with"
						+ " methods that run uncached or fail; lock.cache.enabled=false runs all of them uncached.",
				cause);
	}

}
