package io.github.lockboot.redis;

import java.time.Duration;

import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;

/**
 * How a {@link RedisLockTemplate} uses its Redis.
 *
 * @param keyPrefix prefix of all keys; without braces, which mark a hash tag in a cluster
 * @param lockDefaults defaults for requests that do not set a value
 * @param commandTimeout how long to wait for a reply of Redis
 * @param foreignClients whether other programs use the same locks with {@code SET NX PX}.
 * Waiters then poll instead of queueing, and a JVM that always requests a lock leaves the
 * lock free for a moment from time to time, so that others can acquire it
 * @param minReplicasAcknowledged how many replicas must confirm a lock before it is
 * granted; zero means no wait. Waiting lowers the risk that a failover loses a lock, and
 * costs a round trip from master to replica
 * @param startup what happens if Redis is not available when the template is created
 * @since 1.0.0
 */
public record RedisLockSettings(String keyPrefix, LockDefaults lockDefaults, Duration commandTimeout,
		boolean foreignClients, int minReplicasAcknowledged, Startup startup) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if the prefix contains a brace, the time limit is
	 * below 1 ms or the number of replicas is negative
	 */
	public RedisLockSettings {
		Assert.isTrue(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0,
				() -> "The key prefix must not contain '{' or '}' but is '" + keyPrefix + "'");
		Assert.isTrue(commandTimeout.toMillis() > 0,
				() -> "The command time-out must be at least 1 ms but is " + LockDefaults.text(commandTimeout));
		Assert.isTrue(minReplicasAcknowledged >= 0,
				() -> "The number of replicas must not be negative but is " + minReplicasAcknowledged);
	}

	/**
	 * Return the defaults of the library: prefix {@code lock:}, a time limit of 1 second,
	 * no foreign clients, no replicas, {@link Startup#FAIL} and
	 * {@link LockDefaults#defaults()}.
	 */
	public static RedisLockSettings defaults() {
		return new RedisLockSettings("lock:", LockDefaults.defaults(), Duration.ofSeconds(1), false, 0, Startup.FAIL);
	}

	/**
	 * Return these settings with another prefix.
	 * @param keyPrefix prefix of all keys
	 */
	public RedisLockSettings withKeyPrefix(String keyPrefix) {
		return new RedisLockSettings(keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, this.startup);
	}

	/**
	 * Return these settings with other defaults.
	 * @param lockDefaults defaults for requests that do not set a value
	 */
	public RedisLockSettings withLockDefaults(LockDefaults lockDefaults) {
		return new RedisLockSettings(this.keyPrefix, lockDefaults, this.commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, this.startup);
	}

	/**
	 * Return these settings with another time limit.
	 * @param commandTimeout how long to wait for a reply
	 */
	public RedisLockSettings withCommandTimeout(Duration commandTimeout) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, this.startup);
	}

	/**
	 * Return these settings with or without foreign clients.
	 * @param foreignClients whether other programs use the same locks
	 */
	public RedisLockSettings withForeignClients(boolean foreignClients) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, foreignClients,
				this.minReplicasAcknowledged, this.startup);
	}

	/**
	 * Return these settings with another number of replicas.
	 * @param minReplicasAcknowledged number of replicas to wait for
	 */
	public RedisLockSettings withMinReplicasAcknowledged(int minReplicasAcknowledged) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients,
				minReplicasAcknowledged, this.startup);
	}

	/**
	 * Return these settings with another behaviour at startup.
	 * @param startup what happens if Redis is not available
	 */
	public RedisLockSettings withStartup(Startup startup) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, startup);
	}

	/**
	 * What happens if Redis is not available when a template is created.
	 *
	 * @since 1.0.0
	 */
	public enum Startup {

		/**
		 * The template is not created, so that wrong settings are detected at once.
		 */
		FAIL,

		/**
		 * The template connects in the background, and every acquisition fails until
		 * then. A user or password that Redis refuses at startup is still an error.
		 */
		RETRY

	}

}
