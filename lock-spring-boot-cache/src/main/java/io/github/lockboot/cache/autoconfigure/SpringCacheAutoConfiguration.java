package io.github.lockboot.cache.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.engine.AsyncThreads;
import io.github.lockboot.cache.spring.RedisLockCacheManager;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the cache as a
 * {@code CacheManager} of Spring, if {@code lock.cache.manager} is set. The
 * auto-configuration of Spring Boot ignores a named manager; the default one replaces its
 * manager.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = RedisCacheAutoConfiguration.class,
		beforeName = { "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration",
				"org.springframework.boot.autoconfigure.cache.CacheAutoConfiguration" })
@ConditionalOnProperty("lock.cache.manager")
@ConditionalOnBooleanProperty(name = "lock.cache.enabled", matchIfMissing = true)
@EnableConfigurationProperties(CacheProperties.class)
public final class SpringCacheAutoConfiguration {

	private static RedisLockCacheManager cacheManager(CacheOperations operations, CacheProperties properties,
			ObjectProvider<CacheSpec<?>> specs) {
		List<CacheSpec<?>> all = Stream.concat(specs.orderedStream(), typed(properties)).toList();
		try {
			return new RedisLockCacheManager(operations, all, AsyncThreads.results());
		}
		catch (IllegalArgumentException ex) {
			throw new LockSetupException(ex.getMessage() + ".",
					"Correct lock.cache.caches.<name>.type of that cache, or its CacheSpec bean.");
		}
	}

	private static Stream<CacheSpec<?>> typed(CacheProperties properties) {
		return properties.caches().entrySet().stream().flatMap((entry) -> {
			Class<?> type = entry.getValue().type();
			return (type != null) ? Stream.of(CacheSpec.of(entry.getKey(), type)) : Stream.empty();
		});
	}

	/**
	 * The condition is on a nested class, since Boot would load its type early.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(CacheOperations.class)
	static class WithCache {

		@Bean
		static UntypedCachesCheck lockbootUntypedCachesCheck(ConfigurableListableBeanFactory beanFactory,
				Environment environment) {
			return new UntypedCachesCheck(beanFactory,
					"default".equalsIgnoreCase(environment.getProperty("lock.cache.manager")));
		}

		@Bean(defaultCandidate = false)
		@ConditionalOnProperty(name = "lock.cache.manager", havingValue = "named")
		static RedisLockCacheManager redisLockCacheManager(CacheOperations operations, CacheProperties properties,
				ObjectProvider<CacheSpec<?>> specs) {
			return cacheManager(operations, properties, specs);
		}

		@Bean("redisLockCacheManager")
		@Primary
		@ConditionalOnProperty(name = "lock.cache.manager", havingValue = "default")
		static RedisLockCacheManager defaultCacheManager(CacheOperations operations, CacheProperties properties,
				ObjectProvider<CacheSpec<?>> specs) {
			return cacheManager(operations, properties, specs);
		}

	}

	/**
	 * Fails the start if a method with annotations of Spring uses a cache that our
	 * manager does not have, instead of its first call.
	 *
	 * @param byDefault whether our manager is used by methods without one
	 */
	record UntypedCachesCheck(ConfigurableListableBeanFactory beanFactory,
			boolean byDefault) implements SmartInitializingSingleton {

		private static final String MANAGER = "redisLockCacheManager";

		@Override
		public void afterSingletonsInstantiated() {
			CacheOperationSource operations = this.beanFactory.getBeanProvider(CacheOperationSource.class)
				.getIfUnique();
			if (operations == null || !this.beanFactory.containsBean(MANAGER)) {
				return;
			}
			Set<String> uses = new TreeSet<>();
			Collection<String> typed = this.beanFactory.getBean(MANAGER, RedisLockCacheManager.class).getCacheNames();
			AnnotatedMethod.find(this.beanFactory, operations::isCandidateClass, operations::getCacheOperations)
				.forEach((found) -> found.declaration()
					.stream()
					.filter(this::isOurs)
					.flatMap((operation) -> operation.getCacheNames().stream())
					.filter((name) -> !typed.contains(name))
					.forEach((name) -> uses.add("'" + name + "' of " + found.describe())));
			if (!uses.isEmpty()) {
				throw new LockSetupException(
						"The type of the values of these caches of redisLockCacheManager is unknown: "
								+ String.join(", ", uses) + ".",
						"Set lock.cache.caches.<name>.type of each, or declare a CacheSpec bean, or name another cacheManager.");
			}
		}

		/**
		 * Return whether an operation uses our manager; a configurer may set another
		 * default.
		 */
		private boolean isOurs(CacheOperation operation) {
			return operation.getCacheManager().equals(MANAGER) || (this.byDefault
					&& operation.getCacheManager().isEmpty() && operation.getCacheResolver().isEmpty()
					&& this.beanFactory.getBeanNamesForType(CachingConfigurer.class, true, false).length == 0);
		}

	}

}
