package io.github.lockboot.zookeeper;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;

/**
 * How a {@link ZookeeperLockTemplate} uses its ensemble.
 *
 * @param connectString servers of the ensemble, as host:port separated by commas,
 * optionally followed by a path below which all nodes are created
 * @param root path of the node below which all nodes of locks are created; the node is
 * created if necessary
 * @param keyPrefix prefix of all names of locks
 * @param lockDefaults defaults for requests that do not set a value; the lease time of
 * the defaults is that of {@link #leaseTime(Duration)}
 * @param sessionTimeout time without contact after which the ensemble ends the session of
 * an instance and frees its locks, at least 1 s
 * @param connectionTimeout how long to wait for the connection, and for the reply to a
 * request, at least 1 ms
 * @param auth scheme and credentials, such as {@code digest:user:password}; {@code null}
 * for none
 * @param acl who may use the nodes
 * @param clientProperties properties of ZooKeeper's client, for example for TLS
 * @since 1.0.0
 */
public record ZookeeperLockSettings(String connectString, String root, String keyPrefix, LockDefaults lockDefaults,
		Duration sessionTimeout, Duration connectionTimeout, @Nullable String auth, Acl acl,
		Map<String, String> clientProperties) {

	private static final Duration SHORTEST_SESSION = Duration.ofSeconds(1);

	private static final Duration LONGEST_SESSION = Duration.ofDays(1);

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is invalid
	 */
	public ZookeeperLockSettings {
		Assert.hasText(connectString, "The connect string must name the servers of the ensemble, as host:port");
		Assert.isTrue(root.matches("(/[^/\\p{Cntrl}]+)+") && !root.matches(".*/\\.\\.?(/.*)?"),
				() -> "'" + root + "' can't be the root of the nodes: it must be a path such as /locks");
		Assert.isTrue(sessionTimeout.compareTo(SHORTEST_SESSION) >= 0 && sessionTimeout.compareTo(LONGEST_SESSION) <= 0,
				"The session timeout must be between 1 second and 1 day");
		Assert.isTrue(connectionTimeout.toMillis() > 0, "The connection timeout must be at least 1 ms");
		Assert.isTrue(auth == null || auth.indexOf(':') > 0,
				"Credentials must have the form scheme:credentials, such as digest:user:password");
		Assert.isTrue(auth == null || !auth.startsWith("digest:") || auth.matches("(?s)digest:[^:]+:.+"),
				"Credentials of the scheme digest must have the form digest:user:password");
		lockDefaults = lockDefaults.withLeaseTime(leaseTime(sessionTimeout));
		clientProperties = Map.copyOf(clientProperties);
	}

	/**
	 * Return the defaults of the library: root {@code /locks}, prefix {@code lock:}, a
	 * session timeout of 30 seconds, a connection timeout of 5 seconds, no credentials
	 * and no restriction of rights, and {@link LockDefaults#defaults()}.
	 * @param connectString servers of the ensemble, as host:port separated by commas
	 */
	public static ZookeeperLockSettings of(String connectString) {
		return new ZookeeperLockSettings(connectString, "/locks", "lock:", LockDefaults.defaults(),
				Duration.ofSeconds(30), Duration.ofSeconds(5), null, Acl.OPEN, Map.of());
	}

	/**
	 * Return the lease time of the locks: half of the session timeout. The leader may end
	 * the session earlier than a whole timeout after an answered request, because the
	 * server reports the request to the leader in a later message.
	 * @param sessionTimeout timeout of the session
	 * @return the lease time
	 */
	public static Duration leaseTime(Duration sessionTimeout) {
		return sessionTimeout.dividedBy(2);
	}

	/** Return how long to wait for the reply to a request, while a lease lasts. */
	Duration replyTimeout() {
		Duration ofLease = this.lockDefaults.leaseTime().dividedBy(3);
		return (this.connectionTimeout.compareTo(ofLease) < 0) ? this.connectionTimeout : ofLease;
	}

	/** Return these settings with another root. */
	public ZookeeperLockSettings withRoot(String root) {
		return new ZookeeperLockSettings(this.connectString, root, this.keyPrefix, this.lockDefaults,
				this.sessionTimeout, this.connectionTimeout, this.auth, this.acl, this.clientProperties);
	}

	/** Return these settings with another prefix of the names. */
	public ZookeeperLockSettings withKeyPrefix(String keyPrefix) {
		return new ZookeeperLockSettings(this.connectString, this.root, keyPrefix, this.lockDefaults,
				this.sessionTimeout, this.connectionTimeout, this.auth, this.acl, this.clientProperties);
	}

	/** Return these settings with other defaults of requests. */
	public ZookeeperLockSettings withLockDefaults(LockDefaults lockDefaults) {
		return new ZookeeperLockSettings(this.connectString, this.root, this.keyPrefix, lockDefaults,
				this.sessionTimeout, this.connectionTimeout, this.auth, this.acl, this.clientProperties);
	}

	/** Return these settings with other timeouts. */
	public ZookeeperLockSettings withTimeouts(Duration sessionTimeout, Duration connectionTimeout) {
		return new ZookeeperLockSettings(this.connectString, this.root, this.keyPrefix, this.lockDefaults,
				sessionTimeout, connectionTimeout, this.auth, this.acl, this.clientProperties);
	}

	/** Return these settings with other credentials; {@code null} for none. */
	public ZookeeperLockSettings withAuth(@Nullable String auth, Acl acl) {
		return new ZookeeperLockSettings(this.connectString, this.root, this.keyPrefix, this.lockDefaults,
				this.sessionTimeout, this.connectionTimeout, auth, acl, this.clientProperties);
	}

	/** Return these settings with other properties of the client. */
	public ZookeeperLockSettings withClientProperties(Map<String, String> clientProperties) {
		return new ZookeeperLockSettings(this.connectString, this.root, this.keyPrefix, this.lockDefaults,
				this.sessionTimeout, this.connectionTimeout, this.auth, this.acl, clientProperties);
	}

	/** Return a text without passwords. */
	@Override
	public String toString() {
		return "ZookeeperLockSettings[connectString=" + this.connectString + ", root=" + this.root + ", keyPrefix="
				+ this.keyPrefix + ", lockDefaults=" + this.lockDefaults + ", sessionTimeout=" + this.sessionTimeout
				+ ", connectionTimeout=" + this.connectionTimeout + ", auth="
				+ ((this.auth != null) ? this.auth.substring(0, this.auth.indexOf(':')) + ":***" : "none") + ", acl="
				+ this.acl + ", clientProperties=" + this.clientProperties.keySet() + "]";
	}

	/**
	 * Who may use the nodes.
	 */
	public enum Acl {

		/**
		 * Everyone who can reach the ensemble.
		 */
		OPEN,

		/**
		 * The user that has created the nodes.
		 */
		CREATOR

	}

}
