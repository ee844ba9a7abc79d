package io.github.lockboot.autoconfigure;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockMonitor;
import io.github.lockboot.LockOperations;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.autoconfigure.LockProperties.Backend;

/**
 * Tells why there is no template that could be injected. Asked after those that tell of
 * annotated methods.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 200)
final class MissingTemplateFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String SPRING_DATA_REDIS = "org.springframework.data.redis.connection.RedisConnectionFactory";

	/** The cache is an artifact of its own, which this one does not see. */
	private static final String CACHE_PACKAGE = "io.github.lockboot.cache.";

	private final Environment environment;

	MissingTemplateFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		RedisFeature feature = feature(cause);
		if (feature == null) {
			return null;
		}
		String missing = ((description != null) ? description + " needs" : "Something needs") + " a bean of type "
				+ ClassUtils.getQualifiedName(type(cause)) + ", and there is none: ";
		return (feature == RedisFeature.LOCKS) ? ofLocks(missing, cause) : ofCache(missing, cause);
	}

	private FailureAnalysis ofLocks(String missing, NoSuchBeanDefinitionException cause) {
		if (isOff("lock.enabled")) {
			return new FailureAnalysis(missing + "lock.enabled is false.",
					"Remove lock.enabled=false. For tests and development without Redis set lock.backend=local.",
					cause);
		}
		String backend = this.environment.getProperty("lock.backend", Backend.REDIS.name());
		if (Arrays.stream(Backend.values()).noneMatch((known) -> known.name().equalsIgnoreCase(backend))) {
			return new FailureAnalysis(missing + "lock.backend is '" + backend + "', which is no backend.",
					"Set lock.backend=redis, or lock.backend=local to lock within one JVM only.", cause);
		}
		return ofRedis(RedisFeature.LOCKS, missing, cause);
	}

	private FailureAnalysis ofCache(String missing, NoSuchBeanDefinitionException cause) {
		return isOff("lock.cache.enabled") ? new FailureAnalysis(missing + "lock.cache.enabled is false.",
				"Remove lock.cache.enabled=false.", cause) : ofRedis(RedisFeature.CACHE, missing, cause);
	}

	private static FailureAnalysis ofRedis(RedisFeature feature, String missing, NoSuchBeanDefinitionException cause) {
		if (!ClassUtils.isPresent(SPRING_DATA_REDIS, null)) {
			return new FailureAnalysis(missing + "Spring Data Redis is not on the class path.",
					"Add org.springframework.boot:spring-boot-starter-data-redis, or " + feature.alternative() + ".",
					cause);
		}
		return new FailureAnalysis(missing + "its auto-configuration is not a part of this application.",
				"Do not exclude the auto-configurations of io.github.lockboot. For a test slice annotate the test with"
						+ " @LocalLocks of lock-spring-boot-starter-test.",
				cause);
	}

	private boolean isOff(String property) {
		return "false".equalsIgnoreCase(this.environment.getProperty(property));
	}

	private static @Nullable RedisFeature feature(NoSuchBeanDefinitionException cause) {
		Class<?> type = type(cause);
		if (cause instanceof NoUniqueBeanDefinitionException) {
			return null;
		}
		if (LockOperations.class.isAssignableFrom(type) || type == LockMonitor.class
				|| type.getName().equals(ReactiveLockOperations.class.getName())) {
			return RedisFeature.LOCKS;
		}
		return type.getName().startsWith(CACHE_PACKAGE) ? RedisFeature.CACHE : null;
	}

	private static Class<?> type(NoSuchBeanDefinitionException cause) {
		ResolvableType type = cause.getResolvableType();
		return (type != null) ? type.toClass() : Object.class;
	}

}
