package io.github.lockboot.autoconfigure;

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
import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.LockBackends;
import io.github.lockboot.autoconfigure.store.RedisFeature;

/**
 * Explains why there is no template to inject. This analyzer runs after those of
 * annotated methods.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 200)
final class MissingTemplateFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

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
		return RedisFeature.others()
			.stream()
			.filter((feature) -> feature.operations().isAssignableFrom(type))
			.findFirst()
			.orElse(null);
	}

	private Reason reason(RedisFeature feature) {
		boolean locks = feature.equals(RedisFeature.LOCKS);
		String property = feature.prefix() + ".enabled";
		if ("false".equalsIgnoreCase(this.environment.getProperty(property))) {
			return new Reason(property + " is false.", "Remove " + property + "=false."
					+ (locks ? " For tests and development without Redis set lock.backend=local." : ""));
		}
		String name = locks ? this.environment.getProperty("lock.backend", LockBackend.REDIS) : LockBackend.REDIS;
		LockBackend backend = LockBackends.find(name);
		if (backend == null) {
			return new Reason("lock.backend is '" + name + "', which is not a backend on the class path.",
					LockBackends.missing(name) + ".");
		}
		return backend.isPresent() ? NO_AUTO_CONFIGURATION
				: new Reason(
						(locks ? "lock.backend is " + backend.name() + ", but " : "") + backend.library()
								+ " is not on the class path.",
						"Add " + backend.starter() + ", or " + feature.alternative() + "."
								+ (locks ? LockBackends.hints() : ""));
	}

	private record Reason(String description, String action) {

	}

}
