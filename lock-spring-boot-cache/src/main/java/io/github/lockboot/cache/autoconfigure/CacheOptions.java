package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

/**
 * Options of all caches, or of one cache by its name.
 *
 * @since 1.0.0
 */
public class CacheOptions {

	/**
	 * Time for which a result is fresh.
	 */
	private @Nullable Duration ttl;

	/**
	 * Time for which a null or an empty Optional is fresh. Zero does not store them.
	 */
	private @Nullable Duration nullTtl;

	/**
	 * Time for which an expired result is served, while a new one is loaded in the
	 * background.
	 */
	private @Nullable Duration staleTtl;

	/**
	 * Part of the time to live by which it is made longer or shorter at random.
	 */
	private @Nullable Double jitter;

	/**
	 * How early a result is refreshed in the background before it expires. Zero is never,
	 * one is usually the time of a load before.
	 */
	private @Nullable Double refreshAhead;

	/**
	 * Time for which a local copy is served without a command to Redis. Zero keeps no
	 * copies.
	 */
	private @Nullable Duration localTtl;

	/**
	 * Time for which a local copy is served while Redis fails. Zero serves none.
	 */
	private @Nullable Duration localOutageTtl;

	/**
	 * Maximum number of local copies of a JVM.
	 */
	private @Nullable Integer localMax;

	/**
	 * Maximum size of all local copies of a JVM, in place of their number. Zero limits
	 * their number only.
	 */
	private @Nullable DataSize localMaxSize;

	/**
	 * Time after which another caller may load an entry if the loading JVM has crashed.
	 */
	private @Nullable Duration lease;

	/**
	 * Maximum time of a load before another caller may load the entry. A later result is
	 * not stored.
	 */
	private @Nullable Duration maxLoadTime;

	/**
	 * Time to wait for the load of another caller.
	 */
	private @Nullable Duration waitTimeout;

	/**
	 * What a call does after it has waited that long.
	 */
	private @Nullable OnWaitTimeout onWaitTimeout;

	/**
	 * What a call does if Redis does not reply or rejects a command.
	 */
	private @Nullable OnRedisError onRedisError;

	/**
	 * Maximum size of a stored result.
	 */
	private @Nullable DataSize maxSize;

	/**
	 * Size above which a result is compressed. Zero compresses none.
	 */
	private @Nullable DataSize compressAbove;

	public @Nullable Duration getTtl() {
		return this.ttl;
	}

	public void setTtl(@Nullable Duration ttl) {
		this.ttl = ttl;
	}

	public @Nullable Duration getNullTtl() {
		return this.nullTtl;
	}

	public void setNullTtl(@Nullable Duration nullTtl) {
		this.nullTtl = nullTtl;
	}

	public @Nullable Duration getStaleTtl() {
		return this.staleTtl;
	}

	public void setStaleTtl(@Nullable Duration staleTtl) {
		this.staleTtl = staleTtl;
	}

	public @Nullable Double getJitter() {
		return this.jitter;
	}

	public void setJitter(@Nullable Double jitter) {
		this.jitter = jitter;
	}

	public @Nullable Double getRefreshAhead() {
		return this.refreshAhead;
	}

	public void setRefreshAhead(@Nullable Double refreshAhead) {
		this.refreshAhead = refreshAhead;
	}

	public @Nullable Duration getLocalTtl() {
		return this.localTtl;
	}

	public void setLocalTtl(@Nullable Duration localTtl) {
		this.localTtl = localTtl;
	}

	public @Nullable Duration getLocalOutageTtl() {
		return this.localOutageTtl;
	}

	public void setLocalOutageTtl(@Nullable Duration localOutageTtl) {
		this.localOutageTtl = localOutageTtl;
	}

	public @Nullable Integer getLocalMax() {
		return this.localMax;
	}

	public void setLocalMax(@Nullable Integer localMax) {
		this.localMax = localMax;
	}

	public @Nullable DataSize getLocalMaxSize() {
		return this.localMaxSize;
	}

	public void setLocalMaxSize(@Nullable DataSize localMaxSize) {
		this.localMaxSize = localMaxSize;
	}

	public @Nullable Duration getLease() {
		return this.lease;
	}

	public void setLease(@Nullable Duration lease) {
		this.lease = lease;
	}

	public @Nullable Duration getMaxLoadTime() {
		return this.maxLoadTime;
	}

	public void setMaxLoadTime(@Nullable Duration maxLoadTime) {
		this.maxLoadTime = maxLoadTime;
	}

	public @Nullable Duration getWaitTimeout() {
		return this.waitTimeout;
	}

	public void setWaitTimeout(@Nullable Duration waitTimeout) {
		this.waitTimeout = waitTimeout;
	}

	public @Nullable OnWaitTimeout getOnWaitTimeout() {
		return this.onWaitTimeout;
	}

	public void setOnWaitTimeout(@Nullable OnWaitTimeout onWaitTimeout) {
		this.onWaitTimeout = onWaitTimeout;
	}

	public @Nullable OnRedisError getOnRedisError() {
		return this.onRedisError;
	}

	public void setOnRedisError(@Nullable OnRedisError onRedisError) {
		this.onRedisError = onRedisError;
	}

	public @Nullable DataSize getMaxSize() {
		return this.maxSize;
	}

	public void setMaxSize(@Nullable DataSize maxSize) {
		this.maxSize = maxSize;
	}

	public @Nullable DataSize getCompressAbove() {
		return this.compressAbove;
	}

	public void setCompressAbove(@Nullable DataSize compressAbove) {
		this.compressAbove = compressAbove;
	}

}
