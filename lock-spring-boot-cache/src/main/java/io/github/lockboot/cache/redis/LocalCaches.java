package io.github.lockboot.cache.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;

/**
 * The local copies of all caches that keep some.
 */
final class LocalCaches {

	private static final Log logger = LogFactory.getLog(LocalCaches.class);

	private final ConcurrentMap<String, LocalCache> locals = new ConcurrentHashMap<>();

	/** Return the copies of a cache with the settings of its first user, if it has any. */
	@Nullable LocalCache of(String cache, CacheSettings settings) {
		if (settings.localTtl().isZero() && settings.localOutageTtl().isZero()) {
			return null;
		}
		return this.locals.computeIfAbsent(cache, (name) -> new LocalCache(name, settings));
	}

	@Nullable LocalCache find(String cache) {
		return this.locals.get(cache);
	}

	/** Drops the copy of an entry; each cache recognizes its own entries by name. */
	void drop(String data) {
		this.locals.values().forEach((local) -> local.drop(data));
	}

	/**
	 * Logs a change of Redis, if there are caches that serve older copies in an outage.
	 */
	void logOutage(String what) {
		List<String> caches = this.locals.entrySet()
			.stream()
			.filter((local) -> local.getValue().servesOutages())
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
		if (!caches.isEmpty()) {
			logger.warn(what + " older copies (lock.cache.local-outage-ttl): " + caches);
		}
	}

	void invalidateAll() {
		this.locals.values().forEach(LocalCache::invalidateAll);
	}

	void dropAll() {
		this.locals.values().forEach(LocalCache::dropAll);
	}

}
