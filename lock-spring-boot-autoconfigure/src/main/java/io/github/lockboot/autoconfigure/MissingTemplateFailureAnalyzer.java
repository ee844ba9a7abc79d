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
import io.github.lockboot.autoconfigure.LettuceConnectionFactorySelector.RedisFeature;
import io.github.lockboot.autoconfigure.LockProperties.Backend;

/**
 * Explains why there is no template to inject. This analyzer runs after those of
 * annotated methods.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 200)
final class MissingTemplateFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String SPRING_JDBC = "org.springframework.boot.jdbc.DataSourceBuilder";

	private static final String CURATOR = "org.apache.curator.framework.CuratorFramework";

	private static final String SPRING_DATA_REDIS = "org.springframework.data.redis.connection.RedisConnectionFactory";

	/** The cache is a separate artifact, on which this one does not depend. */
	private static final String CACHE_OPERATIONS = "io.github.lockboot.cache.CacheOperations";

	private static final Reason NO_AUTO_CONFIGURATION = new Reason(
			"its auto-configuration is not part of this application.",
			"Do not exclude the auto-configurations of io.github.lockboot. For a test slice annotate the test with"
					+ " @LocalLocks of lock-spring-boot-starter-test.");

	private final Environment environment;

	MissingTemplateFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		ResolvableType type = cause.getResolvableType();
		RedisFeature feature = (type != null) ? feature(type.toClass()) : null;
		if (type == null || feature == null || cause instanceof NoUniqueBeanDefinitionException) {
			return null;
		}
		Reason reason = reason(feature);
		return new FailureAnalysis(
				((description != null) ? description + " needs" : "A component needs") + " a bean of type "
						+ ClassUtils.getQualifiedName(type.toClass()) + ", but there is none: " + reason.description(),
				reason.action(), cause);
	}

	private static @Nullable RedisFeature feature(Class<?> type) {
		if (LockOperations.class.isAssignableFrom(type) || type == LockMonitor.class
				|| type.getName().equals(ReactiveLockOperations.class.getName())) {
			return RedisFeature.LOCKS;
		}
		return isCache(type, type.getClassLoader()) ? RedisFeature.CACHE : null;
	}

	private static boolean isCache(Class<?> type, @Nullable ClassLoader loader) {
		return ClassUtils.isPresent(CACHE_OPERATIONS, loader)
				&& ClassUtils.resolveClassName(CACHE_OPERATIONS, loader).isAssignableFrom(type);
	}

	private Reason reason(RedisFeature feature) {
		boolean locks = feature == RedisFeature.LOCKS;
		String property = locks ? "lock.enabled" : "lock.cache.enabled";
		if ("false".equalsIgnoreCase(this.environment.getProperty(property))) {
			return new Reason(property + " is false.", "Remove " + property + "=false."
					+ (locks ? " For tests and development without Redis set lock.backend=local." : ""));
		}
		String backend = this.environment.getProperty("lock.backend", Backend.REDIS.name());
		if (locks && Arrays.stream(Backend.values()).noneMatch((known) -> known.name().equalsIgnoreCase(backend))) {
			return new Reason("lock.backend is '" + backend + "', which is not a backend.",
					"Set lock.backend=redis, lock.backend=jdbc or lock.backend=zookeeper, or lock.backend=local to lock"
							+ " within one JVM only.");
		}
		if (locks && backend.equalsIgnoreCase(Backend.JDBC.name())) {
			if (!ClassUtils.isPresent(SPRING_JDBC, null)) {
				return new Reason("lock.backend is jdbc, but Spring Boot's JDBC support is not on the class path.",
						"Add io.github.lockboot:lock-spring-boot-starter-jdbc, or " + feature.alternative() + ".");
			}
			return NO_AUTO_CONFIGURATION;
		}
		if (locks && backend.equalsIgnoreCase(Backend.ZOOKEEPER.name())) {
			return ClassUtils.isPresent(CURATOR, null) ? NO_AUTO_CONFIGURATION : new Reason(
					"lock.backend is zookeeper, but Apache Curator is not on the class path.",
					"Add io.github.lockboot:lock-spring-boot-starter-zookeeper, or " + feature.alternative() + ".");
		}
		if (!ClassUtils.isPresent(SPRING_DATA_REDIS, null)) {
			return new Reason(
					(locks ? "lock.backend is redis, but " : "") + "Spring Data Redis is not on the class path.",
					(locks ? "Set lock.backend=jdbc to lock in a database. Otherwise add" : "Add")
							+ " org.springframework.boot:spring-boot-starter-data-redis, or " + feature.alternative()
							+ ".");
		}
		return NO_AUTO_CONFIGURATION;
	}

	private record Reason(String description, String action) {

	}

}
