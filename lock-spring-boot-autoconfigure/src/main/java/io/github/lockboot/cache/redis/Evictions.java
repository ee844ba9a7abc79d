package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * Changes entries in Redis under the epoch that is current at that moment: one of an
 * earlier epoch would be changed in vain, while others read the new one.
 */
final class Evictions {

	private final CacheStore store;

	private final Epochs epochs;

	private final CacheKeys keys;

	Evictions(CacheStore store, Epochs epochs, CacheKeys keys) {
		this.store = store;
		this.epochs = epochs;
		this.keys = keys;
	}

	/** Evict an entry, or all of a cache. */
	CompletableFuture<?> run(Eviction eviction) {
		String key = eviction.key();
		return (key != null)
				? change(eviction.cache(), key,
						(entry) -> this.store.evict(eviction.cache(), entry, eviction.graceMillis()))
				: this.epochs.clear(eviction.cache());
	}

	/**
	 * Put an entry.
	 * @param version its version, or {@code null} if it has none
	 * @return whether it was stored
	 */
	CompletableFuture<Boolean> put(String cache, String key, SealedEntry entry, @Nullable Long version) {
		return change(cache, key,
				(keys) -> (version != null)
						? this.store.putIfNewer(cache, keys, version, entry.bytes(), entry.lifeMillis())
						: this.store.put(cache, keys, entry.bytes(), entry.lifeMillis()));
	}

	/** Evict an entry whose new value is not kept, unless a newer one was put. */
	CompletableFuture<Boolean> evictIfNewer(String cache, String key, long version, long lifeMillis) {
		return change(cache, key, (keys) -> this.store.evictIfNewer(cache, keys, version, lifeMillis));
	}

	/**
	 * Both commands are sent at once; only if the epoch was another, there is a third.
	 */
	private CompletableFuture<Boolean> change(String cache, String key, Command command) {
		long known = this.epochs.last(cache);
		CompletableFuture<Boolean> first = (known != 0) ? command.send(this.keys.entry(cache, known, key))
				: CompletableFuture.completedFuture(false);
		CompletableFuture<Long> epoch = this.epochs.askNow(cache);
		return epoch.thenCombine(first, (current, done) -> current)
			.thenCompose((current) -> (current == known) ? first : command.send(this.keys.entry(cache, current, key)));
	}

	/** A command on one entry. */
	private interface Command {

		CompletableFuture<Boolean> send(EntryKeys keys);

	}

	/**
	 * What is to be evicted.
	 *
	 * @param cache name of the cache
	 * @param key the entry, or {@code null} for all of them
	 * @param graceMillis how long entries that are loaded from now on live at most, 0 for
	 * no such limit
	 */
	record Eviction(String cache, @Nullable String key, long graceMillis) {

	}

}
