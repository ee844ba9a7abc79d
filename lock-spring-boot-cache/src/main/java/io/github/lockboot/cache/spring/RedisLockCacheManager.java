package io.github.lockboot.cache.spring;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.util.Assert;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;

/**
 * The cache for the annotations of Spring. {@code @Cacheable(sync = true)} loads once in
 * all JVMs; {@code @CacheEvict} and {@code @CachePut} change entries after the commit of
 * the caller's transaction, and loads that began before are not stored. A cache has
 * values of one type, which has to be specified here because Spring does not know the
 * type. Thread-safe.
 *
 * @since 1.0.0
 */
public final class RedisLockCacheManager implements CacheManager {

	private final Map<String, Cache> caches = new LinkedHashMap<>();

	/**
	 * Create a manager.
	 * @param specs the caches with the types of their values
	 * @param executor runs reads for methods with asynchronous results that are not
	 * {@code sync}; each read blocks a thread
	 * @throws IllegalArgumentException if two caches have the same name, or the type of a
	 * cache does not define its values
	 */
	public RedisLockCacheManager(CacheOperations operations, Collection<? extends CacheSpec<?>> specs,
			Executor executor) {
		for (CacheSpec<?> spec : specs) {
			check(operations, spec);
			CacheSpec<@Nullable Object> open = CacheSpec.ofType(spec.name(), spec.type()).with(spec::settings);
			Cache before = this.caches.put(spec.name(), new GuardedCache(operations, open, executor));
			Assert.isTrue(before == null, () -> "The type of cache '" + spec.name() + "' is specified twice");
		}
	}

	private static void check(CacheOperations operations, CacheSpec<?> spec) {
		try {
			operations.check(spec);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Cache '" + spec.name() + "' can't be used. " + ex.getMessage(), ex);
		}
	}

	/** Return a cache, or {@code null} if the type of its values is unknown. */
	@Override
	public @Nullable Cache getCache(String name) {
		return this.caches.get(name);
	}

	@Override
	public Collection<String> getCacheNames() {
		return Collections.unmodifiableSet(this.caches.keySet());
	}

}
