package io.github.lockboot.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;

/**
 * How a {@link RedisLockTemplate} uses its Redis.
 *
 * @param keyPrefix prefix of all keys; without braces, which mean a hash tag to a cluster
 * @param lockDefaults what is used where a request says nothing
 * @param commandTimeout how long an answer of Redis is waited for
 * @param foreignClients whether other programs take the same locks with
 * {@code SET NX PX}: then nobody queues, waiters poll, and a JVM whose callers want a
 * lock all the time leaves it free for a moment now and then, so that they are not
 * starved
 * @param minReplicasAcknowledged how many replicas must have a lock before it is given
 * out; with too few it is not. Zero does not wait. Lowers the risk that a fail-over
 * forgets a lock, and costs a round trip from master to replica
 * @param startup what happens if Redis can't be used when the template is made
 * @param applicationName what the names of the connections begin with in
 * {@code CLIENT LIST}, as in {@code shop-locks}; not used where the connection factory
 * has a client name, which they begin with then
 * @since 1.0.0
 */
public record RedisLockSettings(String keyPrefix, LockDefaults lockDefaults, Duration commandTimeout,
		boolean foreignClients, int minReplicasAcknowledged, Startup startup, @Nullable String applicationName) {

	/**
	 * Check the settings as soon as they are made.
	 * @throws IllegalArgumentException if the prefix has a brace or the time-out is not
	 * positive, or the number of replicas is negative
	 */
	public RedisLockSettings {
		Assert.isTrue(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0,
				() -> "The key prefix must not contain '{' or '}' but is '" + keyPrefix + "'");
		Assert.isTrue(commandTimeout.toMillis() > 0, () -> "The command time-out must be at least 1 ms but is "
				+ DurationFormatterUtils.print(commandTimeout, DurationFormat.Style.COMPOSITE));
		Assert.isTrue(minReplicasAcknowledged >= 0,
				() -> "The number of replicas must not be negative but is " + minReplicasAcknowledged);
	}

	/**
	 * Settings without a name of the application.
	 * @param keyPrefix prefix of all keys
	 * @param lockDefaults what is used where a request says nothing
	 * @param commandTimeout how long an answer of Redis is waited for
	 * @param foreignClients whether other programs take the same locks
	 * @param minReplicasAcknowledged how many replicas must have a lock before it is
	 * given out
	 * @param startup what happens if Redis can't be used when the template is made
	 */
	public RedisLockSettings(String keyPrefix, LockDefaults lockDefaults, Duration commandTimeout,
			boolean foreignClients, int minReplicasAcknowledged, Startup startup) {
		this(keyPrefix, lockDefaults, commandTimeout, foreignClients, minReplicasAcknowledged, startup, null);
	}

	/**
	 * Prefix {@code lock:}, a time-out of 1 second, no foreign clients, no waiting for
	 * replicas, {@link Startup#FAIL} and {@link LockDefaults#defaults()}.
	 * @return the settings of the library
	 */
	public static RedisLockSettings defaults() {
		return new RedisLockSettings("lock:", LockDefaults.defaults(), Duration.ofSeconds(1), false, 0, Startup.FAIL);
	}

	/**
	 * The same settings with another prefix.
	 * @param keyPrefix prefix of all keys
	 * @return new settings
	 */
	public RedisLockSettings withKeyPrefix(String keyPrefix) {
		return new RedisLockSettings(keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, this.startup, this.applicationName);
	}

	/**
	 * The same settings with other defaults.
	 * @param lockDefaults what is used where a request says nothing
	 * @return new settings
	 */
	public RedisLockSettings withLockDefaults(LockDefaults lockDefaults) {
		return new RedisLockSettings(this.keyPrefix, lockDefaults, this.commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, this.startup, this.applicationName);
	}

	/**
	 * The same settings with another time-out.
	 * @param commandTimeout how long an answer of Redis is waited for
	 * @return new settings
	 */
	public RedisLockSettings withCommandTimeout(Duration commandTimeout) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, this.startup, this.applicationName);
	}

	/**
	 * The same settings for locks that other programs take too, or do not.
	 * @param foreignClients whether other programs take the same locks
	 * @return new settings
	 */
	public RedisLockSettings withForeignClients(boolean foreignClients) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, foreignClients,
				this.minReplicasAcknowledged, this.startup, this.applicationName);
	}

	/**
	 * The same settings with another number of replicas.
	 * @param minReplicasAcknowledged how many replicas must have a lock before it is
	 * given out
	 * @return new settings
	 */
	public RedisLockSettings withMinReplicasAcknowledged(int minReplicasAcknowledged) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients,
				minReplicasAcknowledged, this.startup, this.applicationName);
	}

	/**
	 * The same settings with another behaviour at the start.
	 * @param startup what happens if Redis can't be used when the template is made
	 * @return new settings
	 */
	public RedisLockSettings withStartup(Startup startup) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, startup, this.applicationName);
	}

	/**
	 * The same settings with another name of the application.
	 * @param applicationName what the names of the connections begin with
	 * @return new settings
	 */
	public RedisLockSettings withApplicationName(@Nullable String applicationName) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients,
				this.minReplicasAcknowledged, this.startup, applicationName);
	}

	/**
	 * What happens if Redis can't be used when a template is made.
	 *
	 * @since 1.0.0
	 */
	public enum Startup {

		/**
		 * The template can't be made, so that wrong settings are seen at once.
		 */
		FAIL,

		/**
		 * The template connects in the background, and gives no locks until then. A user
		 * or password that Redis refuses at the start is an error nevertheless.
		 */
		RETRY

	}

}
