package io.github.lockboot.cache.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.github.lockboot.cache.CacheSettings;

/**
 * The copies of this JVM, for each cache that keeps some.
 */
final class LocalCaches {

	private static final boolean CAFFEINE = ClassUtils.isPresent("com.github.benmanes.caffeine.cache.Caffeine",
			LocalCaches.class.getClassLoader());

	private static final Log logger = LogFactory.getLog(LocalCaches.class);

	private final ConcurrentMap<String, LocalCache> locals = new ConcurrentHashMap<>();

	/**
	 * Return the copies of a cache, as its first user wants them.
	 * @return the copies, or {@code null} if none are kept
	 * @throws IllegalArgumentException if Caffeine is missing
	 */
	@Nullable LocalCache of(String cache, CacheSettings settings) {
		if (settings.localTtl().isZero() && settings.localOutageTtl().isZero()) {
			return null;
		}
		Assert.isTrue(CAFFEINE,
				() -> "'" + (settings.localTtl().isZero() ? "localOutageTtl" : "localTtl") + "' of cache '" + cache
						+ "' needs Caffeine:" + " add com.github.ben-manes.caffeine:caffeine, or set it to 0");
		return this.locals.computeIfAbsent(cache, (name) -> new LocalCache(name, settings));
	}

	@Nullable LocalCache find(String cache) {
		return this.locals.get(cache);
	}

	/** An entry of some cache was changed. */
	void drop(String data) {
		this.locals.values().forEach((local) -> local.drop(data));
	}

	/** Log what happens to Redis, where it decides whether older copies are served. */
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

	/** Messages may be missed from now on. */
	void invalidateAll() {
		this.locals.values().forEach(LocalCache::invalidateAll);
	}

	void dropAll() {
		this.locals.values().forEach(LocalCache::dropAll);
	}

}
