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
import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.redis.RedisCacheSettings;

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
	 * Whether to enable the cache. Without it there is no cache template, and annotated
	 * methods run uncached.
	 */
	private boolean enabled = true;

	/**
	 * Prefix of every key of the cache. Applications that share a Redis but not its
	 * entries need different prefixes.
	 */
	private String keyPrefix = "cache:";

	/**
	 * Time to wait for the reply to a command, and for a lost connection.
	 */
	private Duration commandTimeout = Duration.ofMillis(250);

	/**
	 * Longest transaction whose loads are checked against concurrent evictions. Loads of
	 * longer ones may store outdated results.
	 */
	private Duration snapshotWindow = Duration.ofSeconds(30);

	/**
	 * Whether the annotations of Spring can use the cache: never, if they name the
	 * manager redisLockCacheManager, or by default.
	 */
	private Manager manager = Manager.NONE;

	/**
	 * Options of caches by their names.
	 */
	private final Map<String, Named> caches = new LinkedHashMap<>();

	private final Aspect aspect = new Aspect();

	/**
	 * Create properties with the default options.
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
		CacheProperties cache = (CacheProperties) target;
		RedisCacheSettings valid = RedisCacheSettings.defaults();
		PropertyErrors all = new PropertyErrors(errors);
		all.check("keyPrefix", () -> PropertyErrors.checkKeyPrefix(cache.keyPrefix));
		all.check("commandTimeout", () -> PropertyErrors.checkTimeout(cache.commandTimeout));
		all.check("snapshotWindow",
				() -> new RedisCacheSettings(valid.keyPrefix(), valid.commandTimeout(), cache.snapshotWindow));
		CacheOption.check(all, "", cache);
		cache.caches.forEach((name, own) -> CacheOption.check(all, "caches[" + name + "].", own));
	}

	/**
	 * Whether the cache provides a CacheManager of Spring.
	 */
	public enum Manager {

		/**
		 * There is no CacheManager.
		 */
		NONE,
		/**
		 * Annotations that name the CacheManager use it.
		 */
		NAMED,
		/**
		 * It is the default CacheManager.
		 */
		DEFAULT

	}

	/**
	 * Options of one cache. The general properties are their defaults.
	 */
	public static class Named extends CacheOptions {

		/**
		 * Type of the values, for the CacheManager of Spring.
		 */
		private @Nullable Class<?> type;

		/**
		 * Bean name of the ValueCodec that serializes the values, in place of JSON.
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
	 * Options of the advice of annotated methods.
	 */
	public static class Aspect {

		static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 200;

		/**
		 * Order of the advice. A lower one is further outside. Must be below the orders
		 * of the locks and of the transaction advice.
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
