package io.github.lockboot.cache;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * A cache whose loads cannot stampede: of all callers in all JVMs that miss an entry one
 * loads it, and the others get what it has loaded. Thread-safe.
 * <p>
 * Keys are texts, numbers, booleans, enums, {@code UUID}s, times, records, collections,
 * arrays and maps of such, and {@link CacheKey}s; or of a class with an own
 * {@code toString} and {@code equals}. Anything else, and {@code null}, is a
 * {@link CacheKeyException}.
 * <p>
 * No method throws because of a Redis that fails, unless {@link OnRedisError#FAIL} or
 * {@link CacheEviction#orFail()} asks for it.
 *
 * @since 1.0.0
 */
public interface CacheOperations {

	/**
	 * Return the value of an entry, loading it if it is not there. A value that another
	 * caller has loaded, or that was read, belongs to this caller alone, unless it could
	 * not be stored.
	 * @param <T> type of the value
	 * @param <X> what the loader may throw
	 * @param spec which cache
	 * @param key which entry
	 * @param loader gets the value
	 * @return the value
	 * @throws X what the loader of this caller, or of the one that it has waited for, has
	 * thrown
	 * @throws CacheWaitTimeoutException if {@link OnWaitTimeout#FAIL} asks for it
	 * @throws CacheUnavailableException if {@link OnRedisError#FAIL} asks for it
	 * @throws CacheInterruptedException if the thread is interrupted while it waits
	 */
	<T extends @Nullable Object, X extends Throwable> T get(CacheSpec<T> spec, Object key, CacheLoader<T, X> loader)
			throws X;

	/**
	 * Return the value of an entry, loading it if it is not there, without blocking the
	 * thread of the caller or any other while it waits. Else as
	 * {@link #get(CacheSpec, Object, CacheLoader)}.
	 * @param <T> type of the value
	 * @param spec which cache
	 * @param key which entry
	 * @param loader gets the value
	 * @return the value to come, or the exception as {@link CompletableFuture} tells it;
	 * to cancel it ends no load
	 */
	<T extends @Nullable Object> CompletableFuture<T> getAsync(CacheSpec<T> spec, Object key,
			AsyncCacheLoader<T> loader);

	/**
	 * Return the values of several entries, loading together those that are not there.
	 * Entries that others load meanwhile are waited for. Reading is one command for all,
	 * and so are their leases and their storing one batch each.
	 * @param <K> type of the keys
	 * @param <T> type of the values
	 * @param <X> what the loader may throw
	 * @param spec which cache
	 * @param keys which entries
	 * @param loader gets the values that are missing
	 * @return the values by their keys, in the order of the keys; those without a value
	 * are not in it
	 * @throws X what a loader has thrown
	 * @throws CacheWaitTimeoutException if {@link OnWaitTimeout#FAIL} asks for it
	 * @throws CacheUnavailableException if {@link OnRedisError#FAIL} asks for it
	 * @throws CacheInterruptedException if the thread is interrupted while it waits
	 */
	<K, T extends @Nullable Object, X extends Throwable> Map<K, T> getAll(CacheSpec<T> spec, Collection<K> keys,
			CacheBatchLoader<K, T, X> loader) throws X;

	/**
	 * Load an entry anew in the background, one load in all JVMs, whether it is there or
	 * not. What is there is served meanwhile.
	 * @param <T> type of the value
	 * @param spec which cache
	 * @param key which entry
	 * @param loader gets the value, on a thread of the cache
	 * @return whether a new value was stored: not if it was evicted meanwhile, somebody
	 * else loads it, its loader or Redis failed, or too many others wait for their turn.
	 * Who is told may block, or use the cache
	 */
	<T extends @Nullable Object> CompletableFuture<Boolean> refresh(CacheSpec<T> spec, Object key,
			CacheLoader<T, ?> loader);

	/**
	 * Return the value of an entry if it is there.
	 * @param <T> type of the value
	 * @param spec which cache
	 * @param key which entry
	 * @return the value, which may be a null itself, or {@code null}
	 */
	<T extends @Nullable Object> @Nullable CachedValue<T> getIfPresent(CacheSpec<T> spec, Object key);

	/**
	 * Store a value. Loads that began before are not stored. If Redis fails, the entry is
	 * evicted as soon as it can be.
	 * @param <T> type of the value
	 * @param spec which cache
	 * @param key which entry
	 * @param value the value
	 */
	<T extends @Nullable Object> void put(CacheSpec<T> spec, Object key, T value);

	/**
	 * Store a value, unless one with the same or a higher version was put. For events
	 * that may come twice or out of order. Loads that began before are not stored; what
	 * was loaded has no version and is replaced. A version is remembered as long as the
	 * value that came with it would live, also if that is too long to be stored, which
	 * evicts the entry. If Redis fails, the entry is evicted as soon as it can be.
	 * @param <T> type of the value
	 * @param spec which cache
	 * @param key which entry
	 * @param value the value
	 * @param version its version
	 * @return whether it was stored
	 */
	<T extends @Nullable Object> boolean putIfNewer(CacheSpec<T> spec, Object key, T value, long version);

	/**
	 * Store a value after the commit of the caller's transaction, and not if it is rolled
	 * back; at once if there is none.
	 * @param <T> type of the value
	 * @param spec which cache
	 * @param key which entry
	 * @param value the value
	 */
	<T extends @Nullable Object> void putWhenCommitted(CacheSpec<T> spec, Object key, T value);

	/**
	 * Store a value after the commit of the caller's transaction, as
	 * {@link #putWhenCommitted(CacheSpec, Object, Object)} does, unless one with the same
	 * or a higher version was put, as
	 * {@link #putIfNewer(CacheSpec, Object, Object, long)} does.
	 * @param <T> type of the value
	 * @param spec which cache
	 * @param key which entry
	 * @param value the value
	 * @param version its version
	 */
	<T extends @Nullable Object> void putIfNewerWhenCommitted(CacheSpec<T> spec, Object key, T value, long version);

	/**
	 * Evict entries. Returns after Redis has done so; loads that began before are not
	 * stored. If Redis fails, it is tried again in the background, and until then this
	 * JVM does not use these entries.
	 * @param eviction which entries, and when
	 * @throws CacheUnavailableException if Redis fails and {@link CacheEviction#orFail()}
	 * asks for it
	 */
	void evict(CacheEviction eviction);

	/**
	 * Evict an entry at once.
	 * @param cacheName name of the cache
	 * @param key which entry
	 */
	default void evict(String cacheName, Object key) {
		evict(CacheEviction.of(cacheName, key));
	}

	/**
	 * Evict all entries of a cache at once, in a time that does not depend on their
	 * number. Other JVMs follow when they hear of it, after two seconds at the latest.
	 * @param cacheName name of the cache
	 */
	default void clear(String cacheName) {
		evict(CacheEviction.ofAll(cacheName));
	}

	/**
	 * Announce that the caller's thread is going to change what entries are made of, and
	 * to evict or put them at the end. Within a transaction, until the announcement is
	 * closed and in the present transaction until its end, these entries are read past
	 * the cache, and nothing that is loaded for their caches is stored: it may be rolled
	 * back. Annotated methods do so.
	 * @param changes what will be evicted or put
	 * @return to be closed by the same thread, after the evict or put
	 */
	default Announcement announce(Collection<CacheEviction> changes) {
		return () -> {
		};
	}

	/**
	 * Check whether a specification can be used, as its first use would.
	 * @param spec which cache
	 * @throws IllegalArgumentException if its settings are invalid, or the type of its
	 * values does not say what they are and there is no serializer that knows
	 */
	default void check(CacheSpec<?> spec) {
	}

	/**
	 * Changes to come, until it is closed.
	 */
	@FunctionalInterface
	interface Announcement extends AutoCloseable {

		@Override
		void close();

	}

}
