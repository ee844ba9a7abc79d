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
		CacheOption.ALL
			.forEach((option) -> this.errors.check("cache." + option.property(), () -> option.set(this.valid, cache)));
		cache.getCaches().forEach(this::checkNamed);
	}

	private void checkNamed(String name, CacheProperties.Named named) {
		String path = "cache.caches[" + name + "].";
		CacheOption.ALL
			.forEach((option) -> this.errors.check(path + option.property(), () -> option.set(this.valid, named)));
	}

}
