package io.github.lockboot.cache.autoconfigure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

import io.github.lockboot.aop.FurtherFindings;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockProperties.Validation;
import io.github.lockboot.autoconfigure.ProxyCreatorRegistrar;
import io.github.lockboot.autoconfigure.RelaxedNames;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.aop.CacheAnnotations;
import io.github.lockboot.cache.engine.AsyncThreads;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RedisCache}. This
 * auto-configuration has no condition on Redis: without Redis, an annotated method must
 * make the startup fail.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "lock.cache.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ LockProperties.class, CacheProperties.class })
@Import(ProxyCreatorRegistrar.class)
public final class CacheAnnotationsAutoConfiguration {

	/**
	 * A proxy creator needs this bean early, so the bean does not depend on the
	 * properties.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static CacheAnnotations lockbootCacheAnnotations(ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		int order = Binder.get(environment)
			.bind("lock.cache.aspect.order", Integer.class)
			.orElse(CacheProperties.Aspect.DEFAULT_ORDER);
		// an application without a cache does not load the class
		Supplier<Executor> results = SingletonSupplier.of(() -> AsyncThreads.results());
		return new CacheAnnotations(beanFactory, environment::resolveRequiredPlaceholders, order,
				(task) -> results.get().execute(task));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static Advisor lockbootCacheAdvisor(CacheAnnotations annotations) {
		return annotations.advisor();
	}

	@Bean
	static CacheStartupCheck lockbootCacheStartupCheck(CacheAnnotations annotations, ListableBeanFactory beanFactory,
			Environment environment) {
		return new CacheStartupCheck(annotations, beanFactory, environment);
	}

	/**
	 * Checks the properties and all annotated methods of the cache when all singletons
	 * exist. An application with neither loads nothing of the cache here.
	 */
	record CacheStartupCheck(CacheAnnotations annotations, ListableBeanFactory beanFactory,
			Environment environment) implements SmartInitializingSingleton, FurtherFindings {

		private static final Log logger = LogFactory.getLog(CacheStartupCheck.class);

		@Override
		public void afterSingletonsInstantiated() {
			if (Binder.get(this.environment).bind("lock.cache", Bindable.mapOf(String.class, Object.class)).isBound()) {
				new CacheSerializers(this.beanFactory, this.beanFactory.getBean(CacheProperties.class).caches())
					.check();
			}
			if (this.annotations.isUsed()) {
				checkMethods();
			}
		}

		/**
		 * Return the names of the caches with a bean, or with a type for Spring's
		 * manager.
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
		 * Return what stops the start, also in the report of the locks, which comes
		 * first.
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

}
