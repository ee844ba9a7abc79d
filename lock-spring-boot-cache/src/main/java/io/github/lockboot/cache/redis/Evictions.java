package io.github.lockboot.cache.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

	/** Evict entries, or all of a cache. */
	List<CompletableFuture<?>> run(List<Eviction> several) {
		Map<String, CompletableFuture<Long>> current = new HashMap<>();
		List<CompletableFuture<?>> replies = several.stream().<CompletableFuture<?>>map((eviction) -> {
			String cache = eviction.cache();
			String key = eviction.key();
			return (key != null)
					? change(cache, key, current.computeIfAbsent(cache, (name) -> new CompletableFuture<>()),
							(entry) -> this.store.evict(cache, entry, eviction.graceMillis()))
					: this.epochs.clear(cache);
		}).toList();
		current.forEach(this::ask);
		return replies;
	}

	/**
	 * Put an entry.
	 * @param version its version, or {@code null} if it has none
	 * @return whether it was stored
	 */
	CompletableFuture<Boolean> put(String cache, String key, SealedEntry entry, @Nullable Long version) {
		CompletableFuture<Long> current = new CompletableFuture<>();
		CompletableFuture<Boolean> reply = change(cache, key, current,
				(keys) -> (version != null)
						? this.store.putIfNewer(cache, keys, version, entry.bytes(), entry.lifeMillis())
						: this.store.put(cache, keys, entry.bytes(), entry.lifeMillis()));
		ask(cache, current);
		return reply;
	}

	/**
	 * The command is sent at once. If the epoch, which is asked for after it, is another,
	 * it is sent again.
	 */
	private CompletableFuture<Boolean> change(String cache, String key, CompletableFuture<Long> epoch,
			Command command) {
		long known = this.epochs.last(cache);
		CompletableFuture<Boolean> first = (known != 0) ? command.send(this.keys.entry(cache, known, key))
				: CompletableFuture.completedFuture(false);
		return epoch.thenCombine(first, (current, done) -> current)
			.thenCompose((current) -> (current == known) ? first : command.send(this.keys.entry(cache, current, key)));
	}

	private void ask(String cache, CompletableFuture<Long> epoch) {
		this.epochs.askNow(cache).whenComplete((current, failure) -> {
			if (failure != null) {
				epoch.completeExceptionally(failure);
			}
			else {
				epoch.complete(current);
			}
		});
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

		/** A grace of an earlier eviction of the entry holds to its end. */
		Eviction after(@Nullable Eviction earlier) {
			return (earlier == null || earlier.graceMillis <= this.graceMillis) ? this
					: new Eviction(this.cache, this.key, earlier.graceMillis);
		}

	}

}
