package io.github.lockboot.cache.autoconfigure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import io.github.lockboot.aop.FurtherFindings;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockProperties.Validation;
import io.github.lockboot.autoconfigure.RelaxedNames;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.aop.CacheAnnotations;

/**
 * Checks the properties and all annotated methods of the cache when all singletons exist.
 * An application with neither loads nothing of the cache here.
 */
record CacheStartupCheck(CacheAnnotations annotations, ListableBeanFactory beanFactory,
		Environment environment) implements SmartInitializingSingleton, FurtherFindings {

	private static final Log logger = LogFactory.getLog(CacheStartupCheck.class);

	@Override
	public void afterSingletonsInstantiated() {
		if (Binder.get(this.environment).bind("lock.cache", Bindable.mapOf(String.class, Object.class)).isBound()) {
			new CacheSerializers(this.beanFactory, this.beanFactory.getBean(CacheProperties.class).caches()).check();
		}
		if (this.annotations.isUsed()) {
			checkMethods();
		}
	}

	/**
	 * Return the names of the caches with a bean, or with a type for Spring's manager.
	 */
	private Set<String> declared(CacheProperties properties) {
		Set<String> declared = new HashSet<>();
		this.beanFactory.getBeanProvider(CacheSpec.class).forEach((spec) -> declared.add(spec.name()));
		properties.caches().forEach((name, own) -> {
			if (own.type() != null) {
				declared.add(name);
			}
		});
		return declared;
	}

	/**
	 * Return what stops the start, also in the report of the locks, which comes first.
	 */
	@Override
	public List<String> findings() {
		CacheProperties properties = this.beanFactory.getBean(CacheProperties.class);
		return (this.annotations.isUsed() && properties.aspect().validation() == Validation.FAIL)
				? findings(properties, report(properties)) : List.of();
	}

	private void checkMethods() {
		CacheProperties properties = this.beanFactory.getBean(CacheProperties.class);
		Validation validation = properties.aspect().validation();
		if (validation == Validation.OFF) {
			return;
		}
		CacheAnnotations.Report found = report(properties);
		found.warnings().forEach(logger::warn);
		List<String> findings = findings(properties, found);
		if (findings.isEmpty()) {
			return;
		}
		InvalidCacheAnnotationException report = new InvalidCacheAnnotationException(findings);
		if (validation == Validation.FAIL) {
			throw report;
		}
		logger.warn(report.getMessage());
	}

	private CacheAnnotations.Report report(CacheProperties properties) {
		return this.annotations.report(declared(properties), properties.caches().keySet(), RelaxedNames::isFor,
				RelaxedNames::isLike);
	}

	private List<String> findings(CacheProperties properties, CacheAnnotations.Report found) {
		List<String> findings = new ArrayList<>(found.findings());
		int order = properties.aspect().order();
		int lockOrder = this.beanFactory.getBean(LockProperties.class).aspect().order();
		if (order >= lockOrder) {
			findings.add("The cache has the order " + order + " and the locks have the order " + lockOrder
					+ ": hits would wait for locks. Set lock.cache.aspect.order below lock.aspect.order");
		}
		return findings;
	}

}
