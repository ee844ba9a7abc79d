package io.github.lockboot.cache.aop;

import java.util.List;

import io.github.lockboot.Internal;

/**
 * What a look at all annotated methods has found: one sentence each, with class, method
 * and cure.
 *
 * @param findings why methods would not be cached, or fail at every call
 * @param warnings what works and is hardly meant
 * @since 1.0.0
 */
@Internal
public record CacheAnnotationsReport(List<String> findings, List<String> warnings) {

	public CacheAnnotationsReport {
		findings = List.copyOf(findings);
		warnings = List.copyOf(warnings);
	}

}
