package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Errors;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;

/**
 * Rejects invalid values, each under the name of its property.
 */
final class LockPropertiesCheck {

	private static final boolean CURATOR = ClassUtils.isPresent("org.apache.curator.framework.CuratorFramework",
			LockPropertiesCheck.class.getClassLoader());

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
		this.errors.check("retainTime", () -> {
			this.valid.withRetainTime(properties.getRetainTime());
			checkRetained(properties, properties.getRetainTime());
		});
		if (mayKeepLocks(LockProperties.Backend.REDIS, properties)) {
			this.errors.check("redis.commandTimeout",
					() -> PropertyErrors.checkTimeout(properties.getRedis().getCommandTimeout()));
			this.errors.check("redis.minReplicasAcknowledged", () -> checkReplicas(properties.getRedis()));
			this.errors.check("redis.redlock.nodes", () -> checkNodes(properties.getRedis().getRedlock().getNodes()));
		}
		if (properties.getBackend() == LockProperties.Backend.JDBC) {
			checkOnlyOfRedis(properties, "in a database (lock.backend=jdbc)");
		}
		if (properties.getBackend() == LockProperties.Backend.ZOOKEEPER) {
			checkOnlyOfRedis(properties, "in ZooKeeper (lock.backend=zookeeper)");
			checkZookeeper(properties);
		}
		if (mayKeepLocks(LockProperties.Backend.JDBC, properties)) {
			JdbcLockSettings jdbc = JdbcLockSettings.defaults();
			this.errors.check("jdbc.table", () -> jdbc.withTable(properties.getJdbc().getTable()));
			this.errors.check("jdbc.statementTimeout",
					() -> jdbc.withStatementTimeout(properties.getJdbc().getStatementTimeout()));
		}
		this.errors.check("shutdown.timeout", () -> checkShutdown(properties.getShutdown().getTimeout()));
		properties.getLocks().forEach((name, named) -> checkNamed(name, named, properties));
	}

	/**
	 * Return whether the properties of a store apply. Properties of another store are
	 * ignored, with a warning; local locks replace any store.
	 */
	private static boolean mayKeepLocks(LockProperties.Backend store, LockProperties properties) {
		return properties.getBackend() == store || properties.getBackend() == LockProperties.Backend.LOCAL;
	}

	private void checkNamed(String name, LockProperties.Named named, LockProperties properties) {
		String path = "locks[" + name + "].";
		LockRequest request = LockRequest.of(name);
		this.errors.check(path + "waitTime", () -> request.waitTime(named.getWaitTime()));
		this.errors.check(path + "leaseTime", () -> request.leaseTime(named.getLeaseTime()));
		this.errors.check(path + "maxHoldTime", () -> request.maxHoldTime(named.getMaxHoldTime()));
		this.errors.check(path + "retainTime", () -> {
			request.retainTime(named.getRetainTime());
			checkRetained(properties, named.getRetainTime());
		});
		this.errors.check(path + "minHoldTime", () -> request.minHoldTime(named.getMinHoldTime()));
	}

	private static void checkRetained(LockProperties properties, @Nullable Duration retainTime) {
		LockProperties.Redis redis = properties.getRedis();
		boolean retained = retainTime != null && !retainTime.isZero();
		boolean polled = properties.getBackend() == LockProperties.Backend.JDBC || redis.isForeignClients()
				|| !redis.getRedlock().getNodes().isEmpty();
		Assert.isTrue(!retained || !polled,
				"Locks can't be retained if waiters poll: with foreign clients, Redlock or a database"
						+ " (lock.backend=jdbc). Remove the property");
	}

	/**
	 * Reject properties of Redis whose guarantees another backend would silently break.
	 */
	private void checkOnlyOfRedis(LockProperties properties, String where) {
		LockProperties.Redis redis = properties.getRedis();
		Map<String, Boolean> wanted = Map.of("redlock.nodes", !redis.getRedlock().getNodes().isEmpty(),
				"minReplicasAcknowledged", redis.getMinReplicasAcknowledged() > 0, "foreignClients",
				redis.isForeignClients(), "startup", redis.getStartup() == RedisLockSettings.Startup.RETRY);
		wanted.forEach((name, isWanted) -> this.errors.check("redis." + name,
				() -> Assert.isTrue(!isWanted, () -> "This property does not apply to locks " + where
						+ ": remove the property, or remove lock.backend")));
	}

	private void checkZookeeper(LockProperties properties) {
		LockProperties.Zookeeper zookeeper = properties.getZookeeper();
		ZookeeperLockSettings valid = ZookeeperLockSettings.of("localhost");
		this.errors.check("zookeeper.connectString",
				() -> Assert.hasText(zookeeper.getConnectString(),
						"The servers of the ensemble must be named, as host:port separated by commas"
								+ (CURATOR ? "" : "; and Apache Curator is not on the class path: add"
										+ " io.github.lockboot:lock-spring-boot-starter-zookeeper")));
		this.errors.check("zookeeper.root", () -> valid.withRoot(zookeeper.getRoot()));
		this.errors.check("zookeeper.sessionTimeout",
				() -> valid.withTimeouts(zookeeper.getSessionTimeout(), valid.connectionTimeout()));
		this.errors.check("zookeeper.connectionTimeout",
				() -> valid.withTimeouts(valid.sessionTimeout(), zookeeper.getConnectionTimeout()));
		this.errors.check("zookeeper.auth", () -> valid.withAuth(zookeeper.getAuth(), valid.acl()));
		this.errors.check("leaseTime",
				() -> checkLeaseOfSession(properties.getLeaseTime().equals(new LockProperties().getLeaseTime())));
		properties.getLocks().forEach((name, named) -> {
			this.errors.check("locks[" + name + "].leaseTime", () -> checkLeaseOfSession(named.getLeaseTime() == null));
			this.errors.check("locks[" + name + "].renew",
					() -> checkLeaseOfSession(!Boolean.FALSE.equals(named.getRenew())));
		});
	}

	private static void checkLeaseOfSession(boolean valid) {
		Assert.isTrue(valid, "Locks in ZooKeeper (lock.backend=zookeeper) have the lease of the session, which"
				+ " is renewed: remove the property, and set lock.zookeeper.session-timeout");
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
