package io.github.lockboot.cache.redis;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.protocol.RedisTime;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * One run of a loader, and the entries that are made of what it gives.
 *
 * @param <T> type of the values
 */
final class LoadRun<T extends @Nullable Object> {

	private static final Log logger = LogFactory.getLog(LoadRun.class);

	private final TypedCache cache;

	private final CacheTerms<T> terms;

	private final CacheEvents events;

	private volatile long tookNanos;

	LoadRun(TypedCache cache, CacheTerms<T> terms, CacheEvents events) {
		this.cache = cache;
		this.terms = terms;
		this.events = events;
	}

	<V extends @Nullable Object, X extends Throwable> V load(Body<V, X> body) throws X {
		long start = System.nanoTime();
		boolean failed = true;
		try {
			V value = body.load();
			failed = false;
			return value;
		}
		finally {
			ended(start, failed);
		}
	}

	/** The same where the body only begins the load. */
	CompletableFuture<T> begin(AsyncCacheLoader<T> loader) {
		long start = System.nanoTime();
		return begun(loader).whenComplete((value, failure) -> ended(start, failure != null));
	}

	private static <T extends @Nullable Object> CompletableFuture<T> begun(AsyncCacheLoader<T> loader) {
		try {
			CompletionStage<? extends T> stage = Objects.requireNonNull(loader.load(),
					"The loader has returned null instead of a stage");
			return stage.<T>thenApply((value) -> value).toCompletableFuture();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void ended(long start, boolean failed) {
		this.tookNanos = System.nanoTime() - start;
		this.events.tellLoad(this.cache.name(), this.tookNanos, failed);
	}

	/**
	 * Make an entry of the value.
	 * @return the entry, or {@code null} if it is not stored; a value that can't be
	 * written is not, and its caller gets it nevertheless
	 */
	@Nullable SealedEntry seal(T value, long graceMillis, RedisTime time) {
		SealedEntry entry = null;
		try {
			entry = this.cache.seal(value, this.terms, this.tookNanos, graceMillis, time);
		}
		catch (CodecException ex) {
			String complaint = this.cache.values().complaint(ex);
			if (complaint != null) {
				logger.warn("Values of cache '" + this.cache.name() + "' are not stored, and loaded at every call. "
						+ complaint);
			}
			logger.debug("A value of cache '" + this.cache.name() + "' is not stored", ex);
		}
		if (entry != null && entry.bytes().length > this.cache.settings().maxBytes()) {
			if (this.cache.values().isFirstTooLong()) {
				logger.warn("A value of cache '" + this.cache.name() + "' has " + entry.bytes().length
						+ " bytes and is not stored: lock.cache.max-size allows " + this.cache.settings().maxBytes()
						+ ". Such values are loaded at every call");
			}
			this.events.tell(this.cache.name(), CacheEvent.TOO_LONG);
			return null;
		}
		return entry;
	}

	/** What is run. */
	interface Body<V extends @Nullable Object, X extends Throwable> {

		V load() throws X;

	}

}
