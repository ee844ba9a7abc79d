package io.github.lockboot.cache.autoconfigure;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.ProxyCreatorRegistrar;
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

}
