package io.github.lockboot.autoconfigure;

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
		this.errors.check("cache.pause", () -> new RedisCacheSettings(this.redis.keyPrefix(),
				this.redis.commandTimeout(), cache.getPause(), this.redis.snapshotWindow()));
		this.errors.check("cache.snapshotWindow", () -> new RedisCacheSettings(this.redis.keyPrefix(),
				this.redis.commandTimeout(), this.redis.pause(), cache.getSnapshotWindow()));
		checkOptions("cache.", cache);
		cache.getCaches().forEach((name, own) -> checkOptions("cache.caches[" + name + "].", own));
	}

	private void checkOptions(String path, CacheOptions options) {
		CacheOption.ALL
			.forEach((option) -> this.errors.check(path + option.property(), () -> option.set(this.valid, options)));
	}

}
