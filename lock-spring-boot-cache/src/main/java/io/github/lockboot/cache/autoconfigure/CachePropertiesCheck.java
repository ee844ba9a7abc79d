package io.github.lockboot.cache.autoconfigure;

import org.springframework.validation.Errors;

import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.redis.RedisCacheSettings;

/**
 * Rejects invalid values, each under the name of its property.
 */
final class CachePropertiesCheck {

	private final PropertyErrors errors;

	private final CacheSettings valid = CacheSettings.defaults();

	private final RedisCacheSettings redis = RedisCacheSettings.defaults();

	CachePropertiesCheck(Errors errors) {
		this.errors = new PropertyErrors(errors);
	}

	void check(CacheProperties cache) {
		this.errors.check("keyPrefix", () -> PropertyErrors.checkKeyPrefix(cache.getKeyPrefix()));
		this.errors.check("commandTimeout", () -> PropertyErrors.checkTimeout(cache.getCommandTimeout()));
		this.errors.check("pause", () -> new RedisCacheSettings(this.redis.keyPrefix(), this.redis.commandTimeout(),
				cache.getPause(), this.redis.snapshotWindow()));
		this.errors.check("snapshotWindow", () -> new RedisCacheSettings(this.redis.keyPrefix(),
				this.redis.commandTimeout(), this.redis.pause(), cache.getSnapshotWindow()));
		checkOptions("", cache);
		cache.getCaches().forEach((name, own) -> checkOptions("caches[" + name + "].", own));
	}

	private void checkOptions(String path, CacheOptions options) {
		CacheOption.ALL
			.forEach((option) -> this.errors.check(path + option.property(), () -> option.set(this.valid, options)));
	}

}
