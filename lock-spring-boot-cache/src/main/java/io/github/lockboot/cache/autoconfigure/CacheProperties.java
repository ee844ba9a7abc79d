package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.autoconfigure.LockProperties.Validation;
import io.github.lockboot.cache.CacheSettings;

/**
 * Configuration properties of the cache. They are bound when one of them is set, or the
 * cache is used.
 *
 * @since 1.0.0
 */
@Lazy
@ConfigurationProperties("lock.cache")
public final class CacheProperties extends CacheOptions implements Validator {

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
	 * Whether Spring's own annotations can use the cache: not at all, where they name the
	 * manager redisLockCacheManager, or by default.
	 */
	private Manager manager = Manager.NONE;

	/**
	 * Settings of caches, by their names.
	 */
	private final Map<String, Named> caches = new LinkedHashMap<>();

	private final Aspect aspect = new Aspect();

	/**
	 * Create properties with the options of the library.
	 */
	public CacheProperties() {
		CacheSettings defaults = CacheSettings.defaults();
		setTtl(defaults.ttl());
		setNullTtl(defaults.nullTtl());
		setStaleTtl(defaults.staleTtl());
		setJitter(defaults.jitter());
		setRefreshAhead(defaults.refreshAhead());
		setLocalTtl(defaults.localTtl());
		setLocalOutageTtl(defaults.localOutageTtl());
		setLocalMax(defaults.localMax());
		setLocalMaxSize(DataSize.ofBytes(defaults.localMaxBytes()));
		setLease(defaults.lease());
		setMaxLoadTime(defaults.maxLoadTime());
		setWaitTimeout(defaults.waitTimeout());
		setOnWaitTimeout(defaults.onWaitTimeout());
		setOnRedisError(defaults.onRedisError());
		setMaxSize(DataSize.ofBytes(defaults.maxBytes()));
		setCompressAbove(DataSize.ofBytes(defaults.compressAbove()));
	}

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

	@Override
	public boolean supports(Class<?> type) {
		return CacheProperties.class == type;
	}

	@Override
	public void validate(Object target, Errors errors) {
		new CachePropertiesCheck(errors).check((CacheProperties) target);
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
	public static class Named extends CacheOptions {

		/**
		 * Type of the values, for the CacheManager of Spring.
		 */
		private @Nullable Class<?> type;

		/**
		 * Bean name of the ValueCodec that writes the values, in place of JSON.
		 */
		private @Nullable String serializer;

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
