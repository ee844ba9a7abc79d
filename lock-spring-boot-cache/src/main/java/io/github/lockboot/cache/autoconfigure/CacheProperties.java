package io.github.lockboot.cache.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.autoconfigure.LockProperties.Validation;
import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.autoconfigure.RelaxedNames;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.cache.redis.RedisCacheSettings;

/**
 * Configuration properties of the cache. The properties are bound when one of them is
 * set, or when the cache is used.
 *
 * @param enabled Whether to enable the cache. If disabled, there is no cache template,
 * and annotated methods run uncached.
 * @param keyPrefix Prefix of every key of the cache. Applications that share a Redis but
 * not its entries need different prefixes.
 * @param commandTimeout Time to wait for the reply to a command, and for a lost
 * connection.
 * @param snapshotWindow Longest transaction whose loads are checked against concurrent
 * evictions. Loads of longer transactions may store outdated results.
 * @param manager Whether Spring's annotations can use the cache: never, if they name the
 * manager redisLockCacheManager, or by default.
 * @param ttl Time for which a result is fresh.
 * @param nullTtl Time for which a null or an empty Optional is fresh. Zero means that
 * they are not stored.
 * @param staleTtl Time for which an expired result is served, while a new one is loaded
 * in the background.
 * @param jitter Fraction of the time to live by which the time to live is varied at
 * random.
 * @param refreshAhead How early a result is refreshed in the background before it
 * expires. Zero means never, one usually means by the time of one load.
 * @param localTtl Time for which a local copy is served without a command to Redis. Zero
 * keeps no copies.
 * @param localOutageTtl Time for which a local copy is served while Redis fails. Zero
 * means that none is served.
 * @param localMax Maximum number of local copies of a JVM.
 * @param localMaxSize Maximum size of all local copies of a JVM, in place of their
 * number. Zero limits their number only.
 * @param lease Time after which another caller may load an entry if the loading JVM has
 * crashed.
 * @param maxLoadTime Maximum time of a load before another caller may load the entry. A
 * later result is not stored.
 * @param waitTimeout Time to wait for the load of another caller.
 * @param onWaitTimeout What a call does after the wait timeout.
 * @param onRedisError What a call does if Redis does not reply or rejects a command.
 * @param maxSize Maximum size of a stored result.
 * @param caches Options of caches by their names.
 * @since 1.0.0
 */
@Lazy
@ConfigurationProperties("lock.cache")
public record CacheProperties(@DefaultValue("true") boolean enabled, @DefaultValue("cache:") String keyPrefix,
		@DefaultValue("250ms") Duration commandTimeout, @DefaultValue("30s") Duration snapshotWindow,
		@DefaultValue("none") Manager manager, @DefaultValue("5m") Duration ttl, @DefaultValue("30s") Duration nullTtl,
		@DefaultValue("0") Duration staleTtl, @DefaultValue("0.1") double jitter,
		@DefaultValue("0") double refreshAhead, @DefaultValue("0") Duration localTtl,
		@DefaultValue("0") Duration localOutageTtl, @DefaultValue("10000") int localMax,
		@DefaultValue("0B") DataSize localMaxSize, @DefaultValue("3s") Duration lease,
		@DefaultValue("1m") Duration maxLoadTime, @DefaultValue("10s") Duration waitTimeout,
		@DefaultValue("load") OnWaitTimeout onWaitTimeout, @DefaultValue("load") OnRedisError onRedisError,
		@DefaultValue("1MB") DataSize maxSize, @DefaultValue Map<String, Named> caches,
		@DefaultValue Aspect aspect) implements Validator {

	/** Return the settings of a cache: its own options, or else the general ones. */
	CacheSettings settings(String cacheName) {
		CacheSettings general = CacheSettings.defaults().withAll((option) -> value(this, option));
		Named own = RelaxedNames.find(this.caches, cacheName);
		return (own != null) ? general.withAll((option) -> value(own, option)) : general;
	}

	/** Return the value of an option; a serializer is here the name of its bean. */
	private static @Nullable Object value(Record properties, RecordComponent option) {
		Method property = ReflectionUtils.findMethod(properties.getClass(), option.getName());
		return (property != null && ClassUtils.isAssignable(option.getType(), property.getReturnType()))
				? ReflectionUtils.invokeMethod(property, properties) : null;
	}

	/** Check all options, and report errors for the path of their properties. */
	private static void check(Record properties, PropertyErrors errors, String path) {
		for (RecordComponent option : CacheSettings.class.getRecordComponents()) {
			String name = option.getName();
			errors.check(path + name, () -> CacheSettings.defaults()
				.withAll((each) -> each.getName().equals(name) ? value(properties, each) : null));
		}
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
		all.check("commandTimeout",
				() -> new RedisCacheSettings(valid.keyPrefix(), cache.commandTimeout, valid.snapshotWindow()));
		all.check("snapshotWindow",
				() -> new RedisCacheSettings(valid.keyPrefix(), valid.commandTimeout(), cache.snapshotWindow));
		check(cache, all, "");
		cache.caches.forEach((name, own) -> check(own, all, "caches[" + name + "]."));
	}

	/**
	 * Options of one cache. An option that is not set is that of all caches.
	 *
	 * @param type Type of the values, for the CacheManager of Spring.
	 * @param serializer Bean name of the ValueCodec that serializes the values, in place
	 * of JSON.
	 */
	public record Named(@Nullable Duration ttl, @Nullable Duration nullTtl, @Nullable Duration staleTtl,
			@Nullable Double jitter, @Nullable Double refreshAhead, @Nullable Duration localTtl,
			@Nullable Duration localOutageTtl, @Nullable Integer localMax, @Nullable DataSize localMaxSize,
			@Nullable Duration lease, @Nullable Duration maxLoadTime, @Nullable Duration waitTimeout,
			@Nullable OnWaitTimeout onWaitTimeout, @Nullable OnRedisError onRedisError, @Nullable DataSize maxSize,
			@Nullable Class<?> type, @Nullable String serializer) {

	}

	/**
	 * Whether the cache provides a CacheManager of Spring.
	 */
	public enum Manager {

		/** There is no CacheManager. */
		NONE,
		/** Annotations that name the CacheManager use the cache. */
		NAMED,
		/** The cache provides the default CacheManager. */
		DEFAULT

	}

	/**
	 * Options of the advice of annotated methods.
	 *
	 * @param order Order of the advice, which must be lower than the orders of the locks
	 * and of the transaction advice.
	 * @param validation What the check of annotated methods does when the application
	 * starts.
	 */
	public record Aspect(@DefaultValue("" + DEFAULT_ORDER) int order, @DefaultValue("fail") Validation validation) {

		static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 200;

	}

}
