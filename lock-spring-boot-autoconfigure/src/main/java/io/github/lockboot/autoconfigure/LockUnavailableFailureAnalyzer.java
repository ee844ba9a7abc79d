package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockUnavailableException;

/**
 * Tells which Redis does not answer while the application starts, and why.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class LockUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<LockUnavailableException> {

	private final Environment environment;

	LockUnavailableFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, LockUnavailableException cause) {
		String description = cause.getMessage() + "\n\nConfigured is " + configured() + ". It says: " + words(cause);
		return new FailureAnalysis(description, RedisComplaint.in(story(cause)).cure()
				+ " To start while Redis is away set lock.redis.startup=retry; for tests and development without Redis"
				+ " set lock.backend=local.", cause);
	}

	private static String words(LockUnavailableException failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		return (cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName();
	}

	private static String story(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.map(Throwable::toString)
			.collect(Collectors.joining("\n"));
	}

	private String configured() {
		String bean = this.environment.getProperty("lock.redis.connection-factory", "");
		return bean.isEmpty() ? "Redis at " + address()
				: "the connection factory '" + bean + "', by lock.redis.connection-factory";
	}

	private String address() {
		List<String> masters = Binder.get(this.environment)
			.bind("lock.redis.redlock.nodes", Bindable.listOf(String.class))
			.orElse(List.of());
		if (!masters.isEmpty()) {
			return String.join(",", masters);
		}
		String url = property("url", "");
		if (!url.isEmpty()) {
			return url.substring(url.lastIndexOf('@') + 1); // without the password
		}
		String nodes = property("cluster.nodes", property("sentinel.nodes", ""));
		return nodes.isEmpty() ? property("host", "localhost") + ":" + property("port", "6379") : nodes;
	}

	private String property(String name, String other) {
		return this.environment.getProperty("spring.data.redis." + name, other);
	}

}
