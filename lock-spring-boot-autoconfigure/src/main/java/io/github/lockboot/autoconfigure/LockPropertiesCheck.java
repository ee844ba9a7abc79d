package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.Assert;

import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.LockBackends;
import io.github.lockboot.redis.RedisLockSettings;

/**
 * Rejects invalid values, and settings that the chosen store cannot follow, each under
 * the name of its property.
 */
record LockPropertiesCheck(PropertyErrors errors) {

	private static final String REDLOCK_NODES = "redlock.nodes";

	private static final String REPLICAS = "minReplicasAcknowledged";

	private static final String FOREIGN_CLIENTS = "foreignClients";

	private static final String STARTUP = "startup";

	/**
	 * Return whether this check judges a property of Redis that another store ignores.
	 */
	static boolean refuses(ConfigurationPropertyName name, String backend) {
		return !backend.equals(LockBackend.REDIS) && Stream.of(REDLOCK_NODES, REPLICAS, FOREIGN_CLIENTS, STARTUP)
			.map((property) -> ConfigurationPropertyName.adapt("lock.redis." + property, '.'))
			.anyMatch((property) -> property.equals(name) || property.isAncestorOf(name));
	}

	void check(LockProperties properties) {
		properties.checkValues(this.errors);
		LockBackend backend = LockBackends.find(properties.backend());
		if (backend == null) {
			this.errors.refuse("backend", true,
					"There is no such store. " + LockBackends.missing(properties.backend()));
			return;
		}
		backend.refused().forEach((setting, reason) -> properties.refuse(setting, reason, this.errors));
		if (List.of(LockBackend.REDIS, LockBackend.LOCAL).contains(backend.name())) {
			checkRedis(properties);
		}
		else {
			checkOnlyOfRedis(properties.redis(), backend);
		}
	}

	private void checkRedis(LockProperties properties) {
		LockProperties.Redis redis = properties.redis();
		this.errors.check("redis.commandTimeout", () -> PropertyErrors.checkTimeout(redis.commandTimeout()));
		this.errors.check("redis.minReplicasAcknowledged", () -> checkReplicas(redis));
		this.errors.check("redis.redlock.nodes", () -> checkNodes(redis.redlock().nodes()));
		if (redis.foreignClients() || !redis.redlock().nodes().isEmpty()) {
			properties.refuse(LockBackend.Setting.RETAIN_TIME,
					"Locks can't be retained if waiters poll: with foreign clients or Redlock. Remove the property",
					this.errors);
		}
	}

	/**
	 * Reject properties of Redis whose guarantees another backend would silently break.
	 */
	private void checkOnlyOfRedis(LockProperties.Redis redis, LockBackend backend) {
		Map<String, Boolean> wanted = Map.of(REDLOCK_NODES, !redis.redlock().nodes().isEmpty(), REPLICAS,
				redis.minReplicasAcknowledged() > 0, FOREIGN_CLIENTS, redis.foreignClients(), STARTUP,
				redis.startup() == RedisLockSettings.Startup.RETRY);
		wanted.forEach((name, isWanted) -> this.errors.refuse("redis." + name, isWanted,
				"This property does not apply to locks " + backend.place() + " (lock.backend=" + backend.name()
						+ "): remove the property, or remove lock.backend"));
	}

	private static void checkReplicas(LockProperties.Redis redis) {
		Assert.isTrue(redis.minReplicasAcknowledged() >= 0, "The number of replicas must not be negative");
		Assert.isTrue(redis.minReplicasAcknowledged() == 0 || redis.redlock().nodes().isEmpty(),
				"Masters of Redlock have no replicas to wait for");
	}

	private static void checkNodes(List<String> nodes) {
		Assert.isTrue(nodes.isEmpty() || (nodes.size() >= 3 && nodes.size() % 2 == 1),
				() -> "The number of masters must be odd and at least three but is " + nodes.size());
		Assert.isTrue(Set.copyOf(nodes).size() == nodes.size(), "Each master must be named once");
		nodes.forEach((node) -> Assert.isTrue(node.matches(".+:\\d{1,5}"),
				() -> "A master must have the form host:port but is '" + node + "'"));
	}

}
