package io.github.lockboot.cache.spring;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NullValue;
import org.springframework.cache.support.SimpleValueWrapper;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.key.KeyEncoder.EncodedKey;

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
			Cache before = this.caches.put(spec.name(), new GuardedCache(operations, open(spec), executor));
			Assert.isTrue(before == null, () -> "The type of cache '" + spec.name() + "' is specified twice");
		}
	}

	/** Return it for any value, which is checked to be of its type. */
	@SuppressWarnings("unchecked")
	private static CacheSpec<@Nullable Object> open(CacheSpec<?> spec) {
		return (CacheSpec<@Nullable Object>) spec;
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

	/**
	 * A {@code Cache} of Spring. Changes are made after the commit of the caller's
	 * transaction, unless Spring requires them immediately.
	 */
	private static final class GuardedCache implements Cache {

		private final CacheOperations operations;

		private final CacheSpec<@Nullable Object> spec;

		private final Class<?> type;

		/**
		 * Whether values are kept as an {@code Optional}, out of which Spring takes them.
		 */
		private final boolean optional;

		private final Executor executor;

		GuardedCache(CacheOperations operations, CacheSpec<@Nullable Object> spec, Executor executor) {
			this.operations = operations;
			this.spec = spec;
			ResolvableType declared = ResolvableType.forType(spec.type());
			this.optional = declared.toClass() == Optional.class;
			this.type = ClassUtils
				.resolvePrimitiveIfNecessary((this.optional ? declared.getGeneric() : declared).resolve(Object.class));
			this.executor = executor;
		}

		@Override
		public String getName() {
			return this.spec.name();
		}

		@Override
		public Object getNativeCache() {
			return this.operations;
		}

		@Override
		public @Nullable ValueWrapper get(Object key) {
			CachedValue<@Nullable Object> found = find(key);
			return (found != null) ? new SimpleValueWrapper(ObjectUtils.unwrapOptional(found.value())) : null;
		}

		private @Nullable CachedValue<@Nullable Object> find(Object key) {
			return this.operations.getIfPresent(this.spec, key);
		}

		@Override
		public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
			ValueWrapper found = get(key);
			Object value = (found != null) ? found.get() : null;
			if (type == Optional.class && found != null) {
				return cast(Optional.ofNullable(value));
			}
			if (value != null && type != null && !type.isInstance(value)) {
				throw new IllegalStateException("Cache '" + getName() + "' has values of "
						+ this.spec.type().getTypeName() + " and not of " + type.getName());
			}
			return cast(value);
		}

		@Override
		public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
			try {
				return cast(ObjectUtils
					.unwrapOptional(this.operations.get(this.spec, key, () -> checked(key, valueLoader.call()))));
			}
			catch (CacheException ex) {
				throw ex;
			}
			catch (Throwable ex) {
				throw new ValueRetrievalException(key, valueLoader, ex);
			}
		}

		@Override
		public CompletableFuture<?> retrieve(Object key) {
			Object now = EncodedKey.of(getName(), key);
			return CompletableFuture.supplyAsync(() -> {
				CachedValue<@Nullable Object> found = find(now);
				return (found != null) ? new SimpleValueWrapper(found.value()) : null;
			}, this.executor);
		}

		@Override
		public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
			return this.operations
				.getAsync(this.spec, key,
						() -> valueLoader.get().<@Nullable Object>thenApply((value) -> checked(key, value)))
				.thenApply(GuardedCache::cast);
		}

		@Override
		public void put(Object key, @Nullable Object value) {
			this.operations.putWhenCommitted(this.spec, key, checked(key, value));
		}

		@Override
		public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
			CachedValue<@Nullable Object> present = this.operations.putIfAbsent(this.spec, key, checked(key, value));
			return (present != null) ? new SimpleValueWrapper(ObjectUtils.unwrapOptional(present.value())) : null;
		}

		@Override
		public void evict(Object key) {
			this.operations.evict(CacheEviction.of(getName(), key).whenCommitted());
		}

		/** Evict an entry. It is unknown whether there was an entry. */
		@Override
		public boolean evictIfPresent(Object key) {
			this.operations.evict(getName(), key);
			return false;
		}

		@Override
		public void clear() {
			this.operations.evict(CacheEviction.ofAll(getName()).whenCommitted());
		}

		@Override
		public boolean invalidate() {
			this.operations.clear(getName());
			return false;
		}

		/**
		 * Check the type of a value, because a value of another type would be read as
		 * something else. Spring passes what is in an {@code Optional} that a method
		 * returns, but the {@code Optional} itself if the result is asynchronous.
		 */
		private Object checked(Object key, @Nullable Object given) {
			Object value = (given != NullValue.INSTANCE) ? ObjectUtils.unwrapOptional(given) : null;
			if (value != null && !this.type.isInstance(value)) {
				throw new IllegalArgumentException("Cache '" + getName() + "' is for values of "
						+ this.spec.type().getTypeName() + ", but that of '" + key + "' is a "
						+ value.getClass().getName() + ": use a cache of its own for each type");
			}
			return this.optional ? Optional.ofNullable(value) : cast(value);
		}

		/** Cast without a check, as in Spring, because a null may be a value. */
		@SuppressWarnings({ "unchecked", "NullAway" })
		private static <T> T cast(@Nullable Object value) {
			return (T) value;
		}

	}

}
