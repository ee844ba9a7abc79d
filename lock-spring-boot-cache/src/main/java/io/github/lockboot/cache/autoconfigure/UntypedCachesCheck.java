package io.github.lockboot.cache.autoconfigure;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;

import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.cache.spring.RedisLockCacheManager;

/**
 * Fails the start if a method with annotations of Spring uses a cache that our manager
 * does not have, instead of its first call.
 *
 * @param byDefault whether our manager is used by methods without one
 */
record UntypedCachesCheck(ConfigurableListableBeanFactory beanFactory,
		boolean byDefault) implements SmartInitializingSingleton {

	private static final String MANAGER = "redisLockCacheManager";

	@Override
	public void afterSingletonsInstantiated() {
		CacheOperationSource operations = this.beanFactory.getBeanProvider(CacheOperationSource.class).getIfUnique();
		if (operations == null) {
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
	 * Return whether an operation uses our manager; a configurer may set another default.
	 */
	private boolean isOurs(CacheOperation operation) {
		return operation.getCacheManager().equals(MANAGER)
				|| (this.byDefault && operation.getCacheManager().isEmpty() && operation.getCacheResolver().isEmpty()
						&& this.beanFactory.getBeanNamesForType(CachingConfigurer.class, true, false).length == 0);
	}

}
