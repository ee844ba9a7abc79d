package io.github.lockboot.cache;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * A cache without stampedes: of all callers in all JVMs that miss an entry, one caller
 * loads the entry, and the others receive the loaded value. Implementations are
 * thread-safe.
 * <p>
 * A key may be a string, number, boolean, enum, {@code UUID}, time, record, a collection,
 * array or map of these, a {@link CacheKey}, or an object whose class overrides
 * {@code equals}, with all its fields; of the classes of Java only few. For any other
 * key, and for {@code null}, methods throw a {@link CacheKeyException}.
 * <p>
 * No method throws because Redis fails, except for {@link OnRedisError#FAIL} and
 * {@link CacheEviction#orFail()}.
 *
 * @since 1.0.0
 */
public interface CacheOperations {

	/**
	 * Return the value of an entry, and load it if there is no entry. A value that was
	 * read, or loaded by another caller, is a new object for this caller, unless it could
	 * not be stored.
	 * @throws X the exception of the loader of this caller, or of the loader of the
	 * caller for which this caller waited
	 * @throws CacheWaitTimeoutException for {@link OnWaitTimeout#FAIL}
	 * @throws CacheUnavailableException for {@link OnRedisError#FAIL}
	 * @throws CacheInterruptedException if the thread is interrupted while it waits
	 */
	<T extends @Nullable Object, X extends Throwable> T get(CacheSpec<T> spec, Object key, CacheLoader<T, X> loader)
			throws X;

	/**
	 * Return the value of an entry, like {@link #get(CacheSpec, Object, CacheLoader)},
	 * but without blocking a thread.
	 * @return a future that completes with the value or an exception; a cancellation does
	 * not end the load
	 */
	<T extends @Nullable Object> CompletableFuture<T> getAsync(CacheSpec<T> spec, Object key,
			AsyncCacheLoader<T> loader);

	/**
	 * Return the values of several entries, and load the missing ones together. The call
	 * waits for entries that other callers load. The call reads all entries with one
	 * command, and sends the leases and the stores as one batch each.
	 * @return the values by their keys, in the order of the keys, without keys that have
	 * no value
	 * @throws X the exception of a loader; other exceptions are those of {@code get}
	 */
	<K, T extends @Nullable Object, X extends Throwable> Map<K, T> getAll(CacheSpec<T> spec, Collection<K> keys,
			CacheBatchLoader<K, T, X> loader) throws X;

	/**
	 * Load an entry in the background, once in all JVMs, whether it exists or not. An
	 * existing entry is served meanwhile.
	 * @param loader loads the value, on a thread of the cache
	 * @return a future that completes with whether a new value was stored: not if the
	 * entry was evicted meanwhile, if another caller loads the entry, if the loader or
	 * Redis failed, or if too many loads are queued. Dependent stages may block and use
	 * the cache
	 */
	<T extends @Nullable Object> CompletableFuture<Boolean> refresh(CacheSpec<T> spec, Object key,
			CacheLoader<T, ?> loader);

	/**
	 * Return the value of an entry if it exists.
	 * @return the value, which may be a null, or {@code null} if there is no entry
	 */
	<T extends @Nullable Object> @Nullable CachedValue<T> getIfPresent(CacheSpec<T> spec, Object key);

	/**
	 * Store a value. Loads that began before are not stored. If Redis fails, the entry is
	 * evicted as soon as possible.
	 */
	<T extends @Nullable Object> void put(CacheSpec<T> spec, Object key, T value);

	/**
	 * Store a value, unless the entry has the same or a higher version, for events that
	 * may arrive twice or out of order. Loads that began before are not stored. The
	 * version is a part of the entry, and is lost when the entry is evicted or expires. A
	 * loaded entry has no version and is replaced; a refreshed entry keeps the version of
	 * the previous entry. A value that is too large to be stored evicts an entry that has
	 * no version or a lower one.
	 * @return whether the value was stored: not if the entry has the same or a higher
	 * version
	 * @throws CacheUnavailableException if Redis fails or has no memory left; the entry
	 * is evicted as soon as possible
	 */
	<T extends @Nullable Object> boolean putIfNewer(CacheSpec<T> spec, Object key, T value, long version);

	/**
	 * Store a value, unless there is an entry: of several callers in all JVMs one stores
	 * its value. Takes effect at once, also in a transaction.
	 * @return the value of the entry, or {@code null} if the value was stored
	 * @throws CacheUnavailableException if it is unknown whether the value was stored, or
	 * if the cache does not store such a value
	 */
	<T extends @Nullable Object> @Nullable CachedValue<T> putIfAbsent(CacheSpec<T> spec, Object key, T value);

	/**
	 * Store a value after the commit of the caller's transaction, and not after a
	 * rollback; at once if there is no transaction.
	 */
	<T extends @Nullable Object> void putWhenCommitted(CacheSpec<T> spec, Object key, T value);

	/**
	 * Store a value after the commit of the caller's transaction, like
	 * {@link #putWhenCommitted(CacheSpec, Object, Object)}, unless the entry has the same
	 * or a higher version, like {@link #putIfNewer(CacheSpec, Object, Object, long)}.
	 * This method does not throw an exception if Redis fails.
	 */
	<T extends @Nullable Object> void putIfNewerWhenCommitted(CacheSpec<T> spec, Object key, T value, long version);

	/**
	 * Evict entries. The call returns after Redis has evicted them; loads that began
	 * before are not stored. If Redis fails, the evict is retried in the background, and
	 * this JVM does not use the entries until the evict succeeds.
	 * @throws CacheUnavailableException if Redis fails, for
	 * {@link CacheEviction#orFail()}
	 */
	void evict(CacheEviction eviction);

	/** Evict an entry at once. */
	default void evict(String cacheName, Object key) {
		evict(CacheEviction.of(cacheName, key));
	}

	/**
	 * Evict all entries of a cache at once, in a time that does not depend on their
	 * number. The evict takes effect in other JVMs when they are notified, and after two
	 * seconds at the latest.
	 */
	default void clear(String cacheName) {
		evict(CacheEviction.ofAll(cacheName));
	}

	/**
	 * Announce that the caller's thread will change the data of entries, and then evict
	 * or put these. Inside a transaction, until the announcement is closed and the
	 * transaction has ended, these entries bypass the cache, and no load of their caches
	 * is stored, since the data may be rolled back. Annotated methods announce their
	 * changes.
	 * @param changes the entries to be evicted or put
	 * @return the announcement, which the same thread closes after the evict or put
	 */
	default Announcement announce(Collection<CacheEviction> changes) {
		return () -> {
		};
	}

	/**
	 * Check whether a specification can be used, as its first use does.
	 * @throws IllegalArgumentException if its settings are invalid, or its serializer
	 * does not support the type of its values
	 */
	default void check(CacheSpec<?> spec) {
	}

	/** An announcement of changes, in effect until it is closed. */
	@FunctionalInterface
	interface Announcement extends AutoCloseable {

		@Override
		void close();

	}

}
