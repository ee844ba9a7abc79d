package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;

/**
 * One look whether an entry is there. Runs on the caller's thread.
 *
 * @param <T> type of the value
 */
final class CacheLook<T extends @Nullable Object> {

	private final CacheContext context;

	private final TypedCache cache;

	private final String key;

	CacheLook(CacheContext context, TypedCache cache, String key) {
		this.context = context;
		this.cache = cache;
		this.key = key;
	}

	@Nullable CachedValue<T> run() {
		boolean changing = this.context.transactions().isChanging(this.cache.name(), this.key)
				|| this.context.pending().concerns(this.cache.name(), this.key);
		try {
			return changing ? null : look();
		}
		catch (CompletionException ex) {
			this.context.events().tell(this.cache.name(), CacheEvent.REDIS_FAILED);
			return null;
		}
	}

	private @Nullable CachedValue<T> look() {
		Epochs.Sight sight = this.context.epochs().look(this.cache.name());
		LocalLevel level = this.context.levelOf(this.cache);
		Envelope copy = (level != null && sight.confirmation() == null) ? level.find(sight, this.key) : null;
		if (copy != null) {
			return value(copy, CacheEvent.LOCAL_HIT);
		}
		EntryKeys keys = this.context.keys().entry(this.cache.name(), sight.epoch(), this.key);
		CompletableFuture<byte @Nullable []> reply = this.context.store().read(keys);
		byte @Nullable [] entry = reply.join();
		if (!sight.isCurrent()) {
			return look();
		}
		Envelope envelope = (entry != null) ? this.cache.open(entry) : null;
		return (envelope != null) ? value(envelope, CacheEvent.HIT) : null;
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // of the type that the specification
													// says
	private @Nullable CachedValue<T> value(Envelope envelope, CacheEvent event) {
		try {
			CachedValue<T> value = new CachedValue<>((T) this.cache.values().read(envelope));
			this.context.events().tell(this.cache.name(), event);
			return value;
		}
		catch (CodecException ex) {
			return null;
		}
	}

}
