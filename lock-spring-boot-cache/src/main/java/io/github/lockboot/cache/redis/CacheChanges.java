package io.github.lockboot.cache.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.redis.Evictions.Eviction;
import io.github.lockboot.cache.redis.PendingEvictions.Retry;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * Evicts and puts. Each is done in this JVM first, then in Redis, then in this JVM again:
 * whoever calls after it has returned sees it.
 */
final class CacheChanges {

	private final CacheContext context;

	private final Evictions evictions;

	private final LocalCaches locals;

	CacheChanges(CacheContext context, Evictions evictions, LocalCaches locals) {
		this.context = context;
		this.evictions = evictions;
		this.locals = locals;
	}

	/**
	 * Evict entries, many at once but not all: the last would be answered too late.
	 * @return why some are not evicted yet, or {@code null} if all are
	 */
	@Nullable Throwable evict(List<Eviction> several) {
		several.forEach((eviction) -> forget(eviction.cache(), eviction.key()));
		Throwable failure = null;
		for (int i = 0; i < several.size(); i += CacheContext.MOST_AT_ONCE) {
			Throwable failed = evictTogether(
					several.subList(i, Math.min(i + CacheContext.MOST_AT_ONCE, several.size())));
			failure = (failure != null) ? failure : failed;
		}
		return failure;
	}

	private @Nullable Throwable evictTogether(List<Eviction> several) {
		List<Optional<Retry>> earlier = several.stream()
			.map((eviction) -> Optional.ofNullable(this.context.pending().find(eviction.cache(), eviction.key())))
			.toList();
		List<Eviction> wanted = new ArrayList<>();
		for (int i = 0; i < several.size(); i++) {
			wanted.add(several.get(i).after(earlier.get(i).map(Retry::eviction).orElse(null)));
		}
		List<CompletableFuture<?>> replies = this.evictions.run(wanted);
		Throwable failure = null;
		for (int i = 0; i < wanted.size(); i++) {
			Throwable failed = this.context.await(replies.get(i));
			finish(wanted.get(i), earlier.get(i).orElse(null), failed);
			failure = (failure != null) ? failure : failed;
		}
		return failure;
	}

	/**
	 * Put an entry.
	 * @param entry an empty one is not stored, and evicts
	 * @param version its version, or {@code null} if it has none
	 * @return whether it was stored
	 */
	boolean put(String cache, String key, SealedEntry entry, @Nullable Long version) {
		forget(cache, key);
		Retry earlier = this.context.pending().find(cache, key);
		CompletableFuture<Boolean> reply = this.evictions.put(cache, key, entry, version);
		Throwable failure = this.context.await(reply);
		if (failure != null) {
			// the old value must not be served for the new one
			finish(new Eviction(cache, key, 0), earlier, failure);
			return false;
		}
		boolean stored = reply.join();
		if (stored || version == null) {
			// without memory, or while its slot moves, Redis has evicted it
			this.context.events().tell(cache, stored ? CacheEvent.PUT : CacheEvent.EVICTED);
			if (earlier != null && earlier.eviction().graceMillis() == 0) {
				this.context.pending().remove(earlier);
			}
		}
		forget(cache, key);
		return stored;
	}

	private void finish(Eviction eviction, @Nullable Retry earlier, @Nullable Throwable failure) {
		if (failure != null) {
			this.context.events().tell(eviction.cache(), CacheEvent.REDIS_FAILED);
			this.context.pending().add(eviction);
		}
		else {
			this.context.events().tell(eviction.cache(), CacheEvent.EVICTED);
			this.context.pending().remove(earlier);
		}
		forget(eviction.cache(), eviction.key());
	}

	private void forget(String cache, @Nullable String key) {
		LocalCache local = this.locals.find(cache);
		if (key == null) {
			if (local != null) {
				local.dropAll();
			}
			return;
		}
		String data = this.context.keys().entry(cache, this.context.epochs().last(cache), key).data();
		this.context.flights().detach(data);
		if (local != null) {
			local.drop(data);
		}
	}

}
