package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.validation.Errors;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.LockBackends;
import io.github.lockboot.redis.RedisLockSettings;

/**
 * Rejects invalid values, each under the name of its property.
 */
final class LockPropertiesCheck {

	private final PropertyErrors errors;

	private final LockDefaults valid = LockDefaults.defaults();

	LockPropertiesCheck(Errors errors) {
		this.errors = new PropertyErrors(errors);
	}

	void check(LockProperties properties) {
		this.errors.check("keyPrefix", () -> PropertyErrors.checkKeyPrefix(properties.getKeyPrefix()));
		this.errors.check("waitTime", () -> this.valid.withWaitTime(properties.getWaitTime()));
		this.errors.check("leaseTime", () -> this.valid.withLeaseTime(properties.getLeaseTime()));
		this.errors.check("maxHoldTime", () -> this.valid.withMaxHoldTime(properties.getMaxHoldTime()));
		this.errors.check("retainTime", () -> this.valid.withRetainTime(properties.getRetainTime()));
		this.errors.check("shutdown.timeout", () -> checkShutdown(properties.getShutdown().getTimeout()));
		properties.getLocks().forEach(this::checkNamed);
		LockBackend backend = LockBackends.find(properties.getBackend());
		if (backend == null) {
			this.errors.check("backend", () -> Assert.isTrue(false,
					() -> "There is no such store. " + LockBackends.missing(properties.getBackend())));
			return;
		}
		backend.refused().forEach((setting, reason) -> checkRefused(setting, reason, properties));
		if (List.of(LockBackend.REDIS, LockBackend.LOCAL).contains(backend.name())) {
			checkRedis(properties);
		}
		else {
			checkOnlyOfRedis(properties.getRedis(), backend);
		}
	}

	private void checkNamed(String name, LockProperties.Named named) {
		String path = path(name);
		LockRequest request = LockRequest.of(name);
		this.errors.check(path + "waitTime", () -> request.waitTime(named.getWaitTime()));
		this.errors.check(path + "leaseTime", () -> request.leaseTime(named.getLeaseTime()));
		this.errors.check(path + "maxHoldTime", () -> request.maxHoldTime(named.getMaxHoldTime()));
		this.errors.check(path + "retainTime", () -> request.retainTime(named.getRetainTime()));
		this.errors.check(path + "minHoldTime", () -> request.minHoldTime(named.getMinHoldTime()));
	}

	private static String path(String name) {
		return "locks[" + name + "].";
	}

	/** Reject a setting that a store cannot follow, for all locks and for each name. */
	private void checkRefused(LockBackend.Setting setting, String reason, LockProperties properties) {
		switch (setting) {
			case LEASE_TIME -> {
				refuse(!properties.getLeaseTime().equals(new LockProperties().getLeaseTime()), "leaseTime", reason);
				properties.getLocks()
					.forEach((name, named) -> refuse(named.getLeaseTime() != null, path(name) + "leaseTime", reason));
			}
			case NO_RENEWAL -> properties.getLocks()
				.forEach((name, named) -> refuse(Boolean.FALSE.equals(named.getRenew()), path(name) + "renew", reason));
			case RETAIN_TIME -> {
				refuse(isRetained(properties.getRetainTime()), "retainTime", reason);
				properties.getLocks()
					.forEach((name, named) -> refuse(isRetained(named.getRetainTime()), path(name) + "retainTime",
							reason));
			}
		}
	}

	private void refuse(boolean wanted, String property, String reason) {
		this.errors.check(property, () -> Assert.isTrue(!wanted, reason));
	}

	private static boolean isRetained(@Nullable Duration retainTime) {
		return retainTime != null && !retainTime.isZero();
	}

	private void checkRedis(LockProperties properties) {
		LockProperties.Redis redis = properties.getRedis();
		this.errors.check("redis.commandTimeout", () -> PropertyErrors.checkTimeout(redis.getCommandTimeout()));
		this.errors.check("redis.minReplicasAcknowledged", () -> checkReplicas(redis));
		this.errors.check("redis.redlock.nodes", () -> checkNodes(redis.getRedlock().getNodes()));
		if (redis.isForeignClients() || !redis.getRedlock().getNodes().isEmpty()) {
			checkRefused(LockBackend.Setting.RETAIN_TIME,
					"Locks can't be retained if waiters poll: with foreign clients or Redlock. Remove the property",
					properties);
		}
	}

	/**
	 * Reject properties of Redis whose guarantees another backend would silently break.
	 */
	private void checkOnlyOfRedis(LockProperties.Redis redis, LockBackend backend) {
		Map<String, Boolean> wanted = Map.of("redlock.nodes", !redis.getRedlock().getNodes().isEmpty(),
				"minReplicasAcknowledged", redis.getMinReplicasAcknowledged() > 0, "foreignClients",
				redis.isForeignClients(), "startup", redis.getStartup() == RedisLockSettings.Startup.RETRY);
		wanted.forEach((name, isWanted) -> refuse(isWanted, "redis." + name,
				"This property does not apply to locks " + backend.place() + " (lock.backend=" + backend.name()
						+ "): remove the property, or remove lock.backend"));
	}

	private static void checkShutdown(Duration timeout) {
		Assert.isTrue(!timeout.isNegative(),
				() -> "The timeout must not be negative but is " + LockDefaults.text(timeout));
	}

	private static void checkReplicas(LockProperties.Redis redis) {
		Assert.isTrue(redis.getMinReplicasAcknowledged() >= 0, "The number of replicas must not be negative");
		Assert.isTrue(redis.getMinReplicasAcknowledged() == 0 || redis.getRedlock().getNodes().isEmpty(),
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
