package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

/**
 * Options that can be set for all caches, and for one by its name.
 *
 * @since 1.0.0
 */
public class CacheOptions {

	/**
	 * Time that a result is fresh.
	 */
	private @Nullable Duration ttl;

	/**
	 * Time that a null or an empty Optional is fresh. Zero does not keep them.
	 */
	private @Nullable Duration nullTtl;

	/**
	 * Time that a result is served beyond its end, while a new one is loaded in the
	 * background.
	 */
	private @Nullable Duration staleTtl;

	/**
	 * Part by which the life of a result is made longer or shorter at random.
	 */
	private @Nullable Double jitter;

	/**
	 * Eagerness to load a result anew before its end, in the background. Zero never does,
	 * one usually as long before as a load takes.
	 */
	private @Nullable Double refreshAhead;

	/**
	 * Time that a copy in the JVM is served without asking Redis. Zero keeps none.
	 */
	private @Nullable Duration localTtl;

	/**
	 * Time that a copy in the JVM is served while Redis fails. Zero serves none.
	 */
	private @Nullable Duration localOutageTtl;

	/**
	 * Number of copies that a JVM keeps.
	 */
	private @Nullable Integer localMax;

	/**
	 * Size of all copies that a JVM keeps, in place of their number. Zero bounds their
	 * number only.
	 */
	private @Nullable DataSize localMaxSize;

	/**
	 * Time after which a load is taken for dead if its JVM gives no sign of life.
	 */
	private @Nullable Duration lease;

	/**
	 * Longest time that a load may run before another caller may load the entry. What it
	 * returns later is not stored.
	 */
	private @Nullable Duration maxLoadTime;

	/**
	 * Time to wait for the load of another caller.
	 */
	private @Nullable Duration waitTimeout;

	/**
	 * What becomes of a caller that has waited that long.
	 */
	private @Nullable OnWaitTimeout onWaitTimeout;

	/**
	 * What becomes of a caller when Redis does not answer or refuses.
	 */
	private @Nullable OnRedisError onRedisError;

	/**
	 * Size of the largest result that is kept.
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
