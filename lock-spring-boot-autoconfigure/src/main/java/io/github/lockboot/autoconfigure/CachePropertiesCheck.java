package io.github.lockboot.autoconfigure;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.redis.RedisCacheSettings;

/**
 * Rejects values that no cache could work with, each under the name of its property.
 */
final class CachePropertiesCheck {

	private final PropertyErrors errors;

	private final CacheSettings valid = CacheSettings.defaults();

	private final RedisCacheSettings redis = RedisCacheSettings.defaults();

	CachePropertiesCheck(PropertyErrors errors) {
		this.errors = errors;
	}

	void check(CacheProperties cache) {
		this.errors.check("cache.keyPrefix", () -> PropertyErrors.checkKeyPrefix(cache.getKeyPrefix()));
		this.errors.check("cache.commandTimeout", () -> PropertyErrors.checkTimeout(cache.getCommandTimeout()));
		check("cache.pause", cache.getPause(), (pause) -> new RedisCacheSettings(this.redis.keyPrefix(),
				this.redis.commandTimeout(), pause, this.redis.snapshotWindow()));
		check("cache.snapshotWindow", cache.getSnapshotWindow(),
				(window) -> new RedisCacheSettings(this.redis.keyPrefix(), this.redis.commandTimeout(),
						this.redis.pause(), window));
		check("cache.ttl", cache.getTtl(), this.valid::withTtl);
		check("cache.nullTtl", cache.getNullTtl(), this.valid::withNullTtl);
		check("cache.staleTtl", cache.getStaleTtl(), this.valid::withStaleTtl);
		check("cache.jitter", cache.getJitter(), this.valid::withJitter);
		check("cache.refreshAhead", cache.getRefreshAhead(), this.valid::withRefreshAhead);
		check("cache.localTtl", cache.getLocalTtl(), this.valid::withLocalTtl);
		check("cache.localMax", cache.getLocalMax(), this.valid::withLocalMax);
		check("cache.lease", cache.getLease(), this.valid::withLease);
		check("cache.waitTimeout", cache.getWaitTimeout(), this.valid::withWaitTimeout);
		check("cache.maxSize", cache.getMaxSize(), CachePropertiesCheck::checkSize);
		cache.getCaches().forEach((name, named) -> checkNamed("cache.caches[" + name + "].", named));
	}

	private void checkNamed(String path, CacheProperties.Named named) {
		check(path + "ttl", named.getTtl(), this.valid::withTtl);
		check(path + "nullTtl", named.getNullTtl(), this.valid::withNullTtl);
		check(path + "staleTtl", named.getStaleTtl(), this.valid::withStaleTtl);
		check(path + "jitter", named.getJitter(), this.valid::withJitter);
		check(path + "refreshAhead", named.getRefreshAhead(), this.valid::withRefreshAhead);
		check(path + "localTtl", named.getLocalTtl(), this.valid::withLocalTtl);
		check(path + "localMax", named.getLocalMax(), this.valid::withLocalMax);
		check(path + "lease", named.getLease(), this.valid::withLease);
		check(path + "waitTimeout", named.getWaitTimeout(), this.valid::withWaitTimeout);
		check(path + "maxSize", named.getMaxSize(), CachePropertiesCheck::checkSize);
	}

	private <T> void check(String property, @Nullable T value, Function<T, ?> rule) {
		if (value != null) {
			this.errors.check(property, () -> rule.apply(value));
		}
	}

	/** Keep the size within what the length of an array can be. */
	private static DataSize checkSize(DataSize size) {
		Assert.isTrue(size.toBytes() > 0 && size.toBytes() <= Integer.MAX_VALUE,
				() -> "The size must be from 1 to " + Integer.MAX_VALUE + " bytes but is " + size);
		return size;
	}

}
