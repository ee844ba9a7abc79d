package io.github.lockboot.autoconfigure;

import java.net.UnknownHostException;
import java.util.List;

import javax.net.ssl.SSLException;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.autoconfigure.store.LockBackends;
import io.github.lockboot.redis.connection.Refusals;

/**
 * Names the properties to correct if Redis cannot be used at startup: those that are set,
 * and those to which the error code of Redis points.
 */
record StartupFailureHint(Environment environment) {

	private static final String LOCAL = " For tests and development without Redis set lock.backend=local.";

	String action(LockUnavailableException failure) {
		String cure = Refusals.cure(failure);
		if (cure != null && Refusals.isOfCredentials(failure)) {
			return cure + LockBackends.hints() + LOCAL;
		}
		return ((cure != null) ? cure : property(failure)) + " To start without Redis set lock.redis.startup=retry."
				+ LockBackends.hints() + LOCAL;
	}

	private String property(LockUnavailableException failure) {
		if (!redlock().isEmpty()) {
			return "Start these Redis servers, or correct lock.redis.redlock.nodes: an odd number of independent masters,"
					+ " three or more, each named once.";
		}
		if (isCausedBy(failure, SSLException.class)) {
			return "Set spring.data.redis.ssl.bundle to an SSL bundle that trusts the certificate of Redis and its host"
					+ " name, or set spring.data.redis.ssl.enabled=false if Redis does not use TLS.";
		}
		if (isCausedBy(failure, UnknownHostException.class)) {
			return "Correct spring.data.redis.host (or the hosts of the nodes): this host is unknown.";
		}
		return servers();
	}

	private String servers() {
		if (!property("sentinel.nodes", "").isEmpty()) {
			return "Correct spring.data.redis.sentinel.nodes, which must be Sentinels, or"
					+ " spring.data.redis.sentinel.master, which the Sentinels must know. The user and password"
					+ " of the Sentinels are under spring.data.redis.sentinel.";
		}
		if (!property("cluster.nodes", "").isEmpty()) {
			return "Start the cluster, or correct spring.data.redis.cluster.nodes, which must be members of a cluster."
					+ " For a single Redis set spring.data.redis.host and port.";
		}
		return "Start Redis, or correct its address and password under spring.data.redis. Set"
				+ " spring.data.redis.ssl.enabled=true if Redis uses TLS, and false if not.";
	}

	private static boolean isCausedBy(Throwable failure, Class<?> type) {
		return Refusals.causes(failure).anyMatch(type::isInstance);
	}

	/** Return the configured address of Redis, without the password. */
	String configured() {
		String bean = this.environment.getProperty("lock.redis.connection-factory", "");
		return bean.isEmpty() ? "Redis at " + address()
				: "the connection factory '" + bean + "', by lock.redis.connection-factory";
	}

	private String address() {
		if (!redlock().isEmpty()) {
			return String.join(",", redlock());
		}
		String url = property("url", "");
		if (!url.isEmpty()) {
			return url.substring(url.lastIndexOf('@') + 1);
		}
		String nodes = property("cluster.nodes", property("sentinel.nodes", ""));
		return nodes.isEmpty() ? property("host", "localhost") + ":" + property("port", "6379") : nodes;
	}

	private List<String> redlock() {
		return Binder.get(this.environment)
			.bind("lock.redis.redlock.nodes", Bindable.listOf(String.class))
			.orElse(List.of());
	}

	private String property(String name, String other) {
		return this.environment.getProperty("spring.data.redis." + name, other);
	}

}
