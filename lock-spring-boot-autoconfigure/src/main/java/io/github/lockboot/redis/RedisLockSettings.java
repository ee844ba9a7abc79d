package io.github.lockboot.redis;

import java.time.Duration;

import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;

/**
 * How a {@link RedisLockTemplate} uses its Redis.
 *
 * @param keyPrefix prefix of all keys; without braces, which mean a hash tag to a cluster
 * @param lockDefaults what is used where a request says nothing
 * @param commandTimeout how long an answer of Redis is waited for
 * @param foreignClients whether other programs take the same locks with
 * {@code SET NX PX}: then a lock is let go of every few milliseconds and nobody is given
 * it directly, so that they are not starved; waiters poll
 * @since 1.0.0
 */
public record RedisLockSettings(String keyPrefix, LockDefaults lockDefaults, Duration commandTimeout,
		boolean foreignClients) {

	/**
	 * Check the settings as soon as they are made.
	 * @throws IllegalArgumentException if the prefix has a brace or the time-out is not
	 * positive
	 */
	public RedisLockSettings {
		Assert.isTrue(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0,
				() -> "The key prefix must not contain '{' or '}' but is '" + keyPrefix + "'");
		Assert.isTrue(commandTimeout.toMillis() > 0,
				() -> "The command time-out must be at least 1 ms but is " + commandTimeout);
	}

	/**
	 * Prefix {@code lock:}, a time-out of 1 second, no foreign clients and
	 * {@link LockDefaults#defaults()}.
	 * @return the settings of the library
	 */
	public static RedisLockSettings defaults() {
		return new RedisLockSettings("lock:", LockDefaults.defaults(), Duration.ofSeconds(1), false);
	}

	/**
	 * The same settings with another prefix.
	 * @param keyPrefix prefix of all keys
	 * @return new settings
	 */
	public RedisLockSettings withKeyPrefix(String keyPrefix) {
		return new RedisLockSettings(keyPrefix, this.lockDefaults, this.commandTimeout, this.foreignClients);
	}

	/**
	 * The same settings with other defaults.
	 * @param lockDefaults what is used where a request says nothing
	 * @return new settings
	 */
	public RedisLockSettings withLockDefaults(LockDefaults lockDefaults) {
		return new RedisLockSettings(this.keyPrefix, lockDefaults, this.commandTimeout, this.foreignClients);
	}

	/**
	 * The same settings with another time-out.
	 * @param commandTimeout how long an answer of Redis is waited for
	 * @return new settings
	 */
	public RedisLockSettings withCommandTimeout(Duration commandTimeout) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, commandTimeout, this.foreignClients);
	}

	/**
	 * The same settings for locks that other programs take too, or do not.
	 * @param foreignClients whether other programs take the same locks
	 * @return new settings
	 */
	public RedisLockSettings withForeignClients(boolean foreignClients) {
		return new RedisLockSettings(this.keyPrefix, this.lockDefaults, this.commandTimeout, foreignClients);
	}

}
