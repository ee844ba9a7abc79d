package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.autoconfigure.LockProperties.Validation;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

/**
 * Configuration properties of the cache.
 *
 * @since 1.0.0
 */
public class CacheProperties {

	/**
	 * Whether the cache is set up. Switched off, there is no cache template, and
	 * annotated methods run uncached.
	 */
	private boolean enabled = true;

	/**
	 * What every key of the cache begins with. Applications that share a Redis and must
	 * not share entries need different prefixes.
	 */
	private String keyPrefix = "cache:";

	/**
	 * Time to wait for the answer to one command.
	 */
	private Duration commandTimeout = Duration.ofMillis(250);

	/**
	 * Time for which Redis is not asked after it has failed three times in a row.
	 */
	private Duration pause = Duration.ofSeconds(2);

	/**
	 * Time that a transaction may last which does not see an eviction of another. What
	 * longer ones load may be kept although it is outdated.
	 */
	private Duration snapshotWindow = Duration.ofSeconds(30);

	/**
	 * Time that a result is fresh.
	 */
	private Duration ttl = Duration.ofMinutes(5);

	/**
	 * Time that a null or an empty Optional is fresh. Zero does not keep them.
	 */
	private Duration nullTtl = Duration.ofSeconds(30);

	/**
	 * Time that a result is served beyond its end, while a new one is loaded in the
	 * background.
	 */
	private Duration staleTtl = Duration.ZERO;

	/**
	 * Part by which the life of a result is made longer or shorter at random.
	 */
	private double jitter = 0.1;

	/**
	 * Eagerness to load a result anew before its end, in the background. Zero never does,
	 * one usually as long before as a load takes.
	 */
	private double refreshAhead = 0;

	/**
	 * Time that a copy in the JVM is served without asking Redis. Zero keeps none.
	 */
	private Duration localTtl = Duration.ZERO;

	/**
	 * Number of copies that a JVM keeps.
	 */
	private int localMax = 10_000;

	/**
	 * Time after which a load is taken for dead if its JVM gives no sign of life.
	 */
	private Duration lease = Duration.ofSeconds(3);

	/**
	 * Longest time that a load may run before another caller may load the entry. What it
	 * returns later is not stored.
	 */
	private Duration maxLoadTime = Duration.ofMinutes(1);

	/**
	 * Time to wait for the load of another caller.
	 */
	private Duration waitTimeout = Duration.ofSeconds(10);

	/**
	 * What becomes of a caller that has waited that long.
	 */
	private OnWaitTimeout onWaitTimeout = OnWaitTimeout.LOAD;

	/**
	 * What becomes of a caller when Redis does not answer or refuses.
	 */
	private OnRedisError onRedisError = OnRedisError.LOAD;

	/**
	 * Size of the largest result that is kept.
	 */
	private DataSize maxSize = DataSize.ofMegabytes(1);

	/**
	 * Whether Spring's own annotations can use the cache: not at all, where they name the
	 * manager redisLockCacheManager, or by default.
	 */
	private Manager manager = Manager.NONE;

	/**
	 * Settings of caches, by their names.
	 */
	private final Map<String, Named> caches = new LinkedHashMap<>();

	private final Aspect aspect = new Aspect();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public String getKeyPrefix() {
		return this.keyPrefix;
	}

	public void setKeyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
	}

	public Duration getCommandTimeout() {
		return this.commandTimeout;
	}

	public void setCommandTimeout(Duration commandTimeout) {
		this.commandTimeout = commandTimeout;
	}

	public Duration getPause() {
		return this.pause;
	}

	public void setPause(Duration pause) {
		this.pause = pause;
	}

	public Duration getSnapshotWindow() {
		return this.snapshotWindow;
	}

	public void setSnapshotWindow(Duration snapshotWindow) {
		this.snapshotWindow = snapshotWindow;
	}

	public Duration getTtl() {
		return this.ttl;
	}

	public void setTtl(Duration ttl) {
		this.ttl = ttl;
	}

	public Duration getNullTtl() {
		return this.nullTtl;
	}

	public void setNullTtl(Duration nullTtl) {
		this.nullTtl = nullTtl;
	}

	public Duration getStaleTtl() {
		return this.staleTtl;
	}

	public void setStaleTtl(Duration staleTtl) {
		this.staleTtl = staleTtl;
	}

	public double getJitter() {
		return this.jitter;
	}

	public void setJitter(double jitter) {
		this.jitter = jitter;
	}

	public double getRefreshAhead() {
		return this.refreshAhead;
	}

	public void setRefreshAhead(double refreshAhead) {
		this.refreshAhead = refreshAhead;
	}

	public Duration getLocalTtl() {
		return this.localTtl;
	}

	public void setLocalTtl(Duration localTtl) {
		this.localTtl = localTtl;
	}

	public int getLocalMax() {
		return this.localMax;
	}

	public void setLocalMax(int localMax) {
		this.localMax = localMax;
	}

	public Duration getLease() {
		return this.lease;
	}

	public void setLease(Duration lease) {
		this.lease = lease;
	}

	public Duration getMaxLoadTime() {
		return this.maxLoadTime;
	}

	public void setMaxLoadTime(Duration maxLoadTime) {
		this.maxLoadTime = maxLoadTime;
	}

	public Duration getWaitTimeout() {
		return this.waitTimeout;
	}

	public void setWaitTimeout(Duration waitTimeout) {
		this.waitTimeout = waitTimeout;
	}

	public OnWaitTimeout getOnWaitTimeout() {
		return this.onWaitTimeout;
	}

	public void setOnWaitTimeout(OnWaitTimeout onWaitTimeout) {
		this.onWaitTimeout = onWaitTimeout;
	}

	public OnRedisError getOnRedisError() {
		return this.onRedisError;
	}

	public void setOnRedisError(OnRedisError onRedisError) {
		this.onRedisError = onRedisError;
	}

	public DataSize getMaxSize() {
		return this.maxSize;
	}

	public void setMaxSize(DataSize maxSize) {
		this.maxSize = maxSize;
	}

	public Manager getManager() {
		return this.manager;
	}

	public void setManager(Manager manager) {
		this.manager = manager;
	}

	public Map<String, Named> getCaches() {
		return this.caches;
	}

	public Aspect getAspect() {
		return this.aspect;
	}

	/**
	 * Whether the cache is a CacheManager of Spring.
	 */
	public enum Manager {

		/**
		 * There is none.
		 */
		NONE,
		/**
		 * There is one for those who name it.
		 */
		NAMED,
		/**
		 * It is the one that is used by default.
		 */
		DEFAULT

	}

	/**
	 * Settings of one cache; what is not set comes from the general properties.
	 */
	public static class Named {

		/**
		 * Type of the values, for the CacheManager of Spring.
		 */
		private @Nullable Class<?> type;

		/**
		 * Bean name of the ValueCodec that writes the values, in place of JSON.
		 */
		private @Nullable String serializer;

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
		 * Eagerness to load a result anew before its end, in the background. Zero never
		 * does, one usually as long before as a load takes.
		 */
		private @Nullable Double refreshAhead;

		/**
		 * Time that a copy in the JVM is served without asking Redis. Zero keeps none.
		 */
		private @Nullable Duration localTtl;

		/**
		 * Number of copies that a JVM keeps.
		 */
		private @Nullable Integer localMax;

		/**
		 * Time after which a load is taken for dead if its JVM gives no sign of life.
		 */
		private @Nullable Duration lease;

		/**
		 * Longest time that a load may run before another caller may load the entry. What
		 * it returns later is not stored.
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

		public @Nullable Class<?> getType() {
			return this.type;
		}

		public void setType(@Nullable Class<?> type) {
			this.type = type;
		}

		public @Nullable String getSerializer() {
			return this.serializer;
		}

		public void setSerializer(@Nullable String serializer) {
			this.serializer = serializer;
		}

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

		public @Nullable Integer getLocalMax() {
			return this.localMax;
		}

		public void setLocalMax(@Nullable Integer localMax) {
			this.localMax = localMax;
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

	}

	/**
	 * How annotated methods are cached.
	 */
	public static class Aspect {

		static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 200;

		/**
		 * Order of the advice; lower is further outside. Must be below the orders of the
		 * locks and of the transaction advice.
		 */
		private int order = DEFAULT_ORDER;

		/**
		 * What the check of annotated methods does when the application starts.
		 */
		private Validation validation = Validation.FAIL;

		public int getOrder() {
			return this.order;
		}

		public void setOrder(int order) {
			this.order = order;
		}

		public Validation getValidation() {
			return this.validation;
		}

		public void setValidation(Validation validation) {
			this.validation = validation;
		}

	}

}
