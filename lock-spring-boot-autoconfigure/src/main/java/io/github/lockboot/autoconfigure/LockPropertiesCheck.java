package io.github.lockboot.autoconfigure;

import java.time.Duration;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.validation.Errors;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;

/**
 * Rejects values that no lock could work with, each under the name of its property.
 */
final class LockPropertiesCheck {

	private final Errors errors;

	private final LockDefaults valid = LockDefaults.defaults();

	LockPropertiesCheck(Errors errors) {
		this.errors = errors;
	}

	void check(LockProperties properties) {
		check("keyPrefix", () -> checkKeyPrefix(properties.getKeyPrefix()));
		check("waitTime", () -> this.valid.withWaitTime(properties.getWaitTime()));
		check("leaseTime", () -> this.valid.withLeaseTime(properties.getLeaseTime()));
		check("maxHoldTime", () -> this.valid.withMaxHoldTime(properties.getMaxHoldTime()));
		check("redis.commandTimeout", () -> checkTimeout(properties.getRedis().getCommandTimeout()));
		properties.getLocks().forEach(this::checkNamed);
		CacheProperties cache = properties.getCache();
		check("cache", () -> NamedCacheSettings.of(cache));
		check("cache.keyPrefix", () -> checkKeyPrefix(cache.getKeyPrefix()));
		check("cache.commandTimeout", () -> checkTimeout(cache.getCommandTimeout()));
		cache.getCaches()
			.keySet()
			.forEach((name) -> check("cache.caches[" + name + "]", () -> NamedCacheSettings.of(cache, name)));
	}

	private void checkNamed(String name, LockProperties.Named named) {
		Duration waitTime = named.getWaitTime();
		if (waitTime != null) {
			check("locks[" + name + "].waitTime", () -> this.valid.withWaitTime(waitTime));
		}
		Duration leaseTime = named.getLeaseTime();
		if (leaseTime != null) {
			check("locks[" + name + "].leaseTime", () -> this.valid.withLeaseTime(leaseTime));
		}
		check("locks[" + name + "].maxHoldTime", () -> this.valid.withMaxHoldTime(named.getMaxHoldTime()));
		check("locks[" + name + "].minHoldTime", () -> LockRequest.of(name).minHoldTime(named.getMinHoldTime()));
	}

	private static void checkKeyPrefix(String prefix) {
		Assert.isTrue(StringUtils.hasText(prefix), "The prefix must not be blank");
		Assert.isTrue(!prefix.contains("{") && !prefix.contains("}"),
				"The prefix must not contain a brace, which would put all locks into one slot of a cluster");
	}

	private static void checkTimeout(Duration timeout) {
		Assert.isTrue(timeout.toMillis() > 0, () -> "The timeout must be at least 1 ms but is " + timeout);
	}

	private void check(String property, Runnable rule) {
		try {
			rule.run();
		}
		catch (IllegalArgumentException ex) {
			this.errors.rejectValue(property, "invalid", String.valueOf(ex.getMessage()));
		}
	}

}
