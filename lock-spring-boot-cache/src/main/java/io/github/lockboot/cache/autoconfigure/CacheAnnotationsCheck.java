package io.github.lockboot.cache.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockProperties.Validation;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.aop.CacheAnnotations;
import io.github.lockboot.cache.aop.CacheAnnotationsReport;

/**
 * Looks at all methods with annotations of the cache once all singletons are made.
 */
final class CacheAnnotationsCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(CacheAnnotationsCheck.class);

	private final CacheAnnotations annotations;

	private final CacheProperties properties;

	private final LockProperties locks;

	CacheAnnotationsCheck(CacheAnnotations annotations, CacheProperties properties, LockProperties locks) {
		this.annotations = annotations;
		this.properties = properties;
		this.locks = locks;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Validation validation = this.properties.getAspect().getValidation();
		if (validation == Validation.OFF) {
			return;
		}
		CacheAnnotationsReport found = this.annotations.report();
		found.warnings().forEach(logger::warn);
		List<String> findings = new ArrayList<>(found.findings());
		findings.addAll(orderFindings());
		if (findings.isEmpty()) {
			return;
		}
		InvalidCacheAnnotationException report = new InvalidCacheAnnotationException(findings);
		if (validation == Validation.FAIL) {
			throw report;
		}
		logger.warn(report.getMessage());
	}

	private List<String> orderFindings() {
		int order = this.properties.getAspect().getOrder();
		int lockOrder = this.locks.getAspect().getOrder();
		return (order < lockOrder) ? List.of()
				: List.of("The cache has the order " + order + " and the locks have the order " + lockOrder
						+ ": hits would wait for locks. Set lock.cache.aspect.order below lock.aspect.order");
	}

}
