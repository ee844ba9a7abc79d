package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.validation.Errors;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;

/**
 * Rejects values that no lock could work with, each under the name of its property.
 */
final class LockPropertiesCheck {

	private final Errors errors;

	private final LockDefaults valid = LockDefaults.defaults();

	LockPropertiesCheck(Errors errors) {
		this.errors = errors;
	}

	void check(LockProperties properties) {
		check("keyPrefix", () -> checkKeyPrefix(properties.getKeyPrefix()));
		check("waitTime", () -> this.valid.withWaitTime(properties.getWaitTime()));
		check("leaseTime", () -> this.valid.withLeaseTime(properties.getLeaseTime()));
		check("maxHoldTime", () -> this.valid.withMaxHoldTime(properties.getMaxHoldTime()));
		check("redis.commandTimeout", () -> checkTimeout(properties.getRedis().getCommandTimeout()));
		check("redis.minReplicasAcknowledged", () -> checkReplicas(properties.getRedis()));
		check("redis.redlock.nodes", () -> checkNodes(properties.getRedis().getRedlock().getNodes()));
		check("shutdown.timeout", () -> checkShutdown(properties.getShutdown().getTimeout()));
		properties.getLocks().forEach(this::checkNamed);
		CacheProperties cache = properties.getCache();
		check("cache", () -> NamedCacheSettings.of(cache));
		check("cache.keyPrefix", () -> checkKeyPrefix(cache.getKeyPrefix()));
		check("cache.commandTimeout", () -> checkTimeout(cache.getCommandTimeout()));
		cache.getCaches()
			.keySet()
			.forEach((name) -> check("cache.caches[" + name + "]", () -> NamedCacheSettings.of(cache, name)));
	}

	private void checkNamed(String name, LockProperties.Named named) {
		String path = "locks[" + name + "].";
		LockRequest request = LockRequest.of(name);
		check(path + "waitTime", () -> request.waitTime(named.getWaitTime()));
		check(path + "leaseTime", () -> request.leaseTime(named.getLeaseTime()));
		check(path + "maxHoldTime", () -> request.maxHoldTime(named.getMaxHoldTime()));
		check(path + "minHoldTime", () -> request.minHoldTime(named.getMinHoldTime()));
	}

	private static void checkKeyPrefix(String prefix) {
		Assert.isTrue(StringUtils.hasText(prefix), "The prefix must not be blank");
		Assert.isTrue(!prefix.contains("{") && !prefix.contains("}"),
				"The prefix must not contain a brace, which would put all locks into one slot of a cluster");
	}

	private static void checkTimeout(Duration timeout) {
		Assert.isTrue(timeout.toMillis() > 0, () -> "The timeout must be at least 1 ms but is " + timeout);
	}

	private static void checkShutdown(Duration timeout) {
		Assert.isTrue(!timeout.isNegative(), () -> "The timeout must not be negative but is " + timeout);
	}

	private static void checkReplicas(LockProperties.Redis redis) {
		Assert.isTrue(redis.getMinReplicasAcknowledged() >= 0, "The number of replicas must not be negative");
		Assert.isTrue(redis.getMinReplicasAcknowledged() == 0 || redis.getRedlock().getNodes().isEmpty(),
				"Masters of Redlock have no replicas to wait for");
	}

	private static void checkNodes(List<String> nodes) {
		Assert.isTrue(nodes.isEmpty() || (nodes.size() >= 3 && nodes.size() % 2 == 1),
				() -> "An odd number of masters is needed, three or more, but there are " + nodes.size());
		Assert.isTrue(Set.copyOf(nodes).size() == nodes.size(), "A master is named twice");
		nodes.forEach((node) -> Assert.isTrue(node.matches(".+:\\d{1,5}"),
				() -> "A master is named by host:port, but one is '" + node + "'"));
	}

	private void check(String property, Runnable rule) {
		try {
			rule.run();
		}
		catch (IllegalArgumentException ex) {
			this.errors.rejectValue(property, "invalid", String.valueOf(ex.getMessage()));
		}
	}

}
