package io.github.lockboot.cache.redis;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.protocol.RedisTime;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * One run of a loader, and the entry that is made of its value.
 *
 * @param <T> type of the value
 * @param <X> what the loader may throw
 */
final class LoadRun<T extends @Nullable Object, X extends Throwable> {

	private static final Log logger = LogFactory.getLog(LoadRun.class);

	private final TypedCache cache;

	private final CacheLoader<T, X> loader;

	private final CacheEvents events;

	private long tookNanos;

	LoadRun(TypedCache cache, CacheLoader<T, X> loader, CacheEvents events) {
		this.cache = cache;
		this.loader = loader;
		this.events = events;
	}

	T load() throws X {
		long start = System.nanoTime();
		boolean failed = true;
		try {
			T value = this.loader.load();
			failed = false;
			return value;
		}
		finally {
			this.tookNanos = System.nanoTime() - start;
			this.events.tellLoad(this.cache.name(), this.tookNanos, failed);
		}
	}

	/**
	 * Make an entry of the value.
	 * @return the entry, or {@code null} if it is not stored; a value that can't be
	 * written is not, and its caller gets it nevertheless
	 */
	@Nullable SealedEntry seal(T value, long graceMillis, RedisTime time) {
		SealedEntry entry = null;
		try {
			entry = this.cache.seal(value, this.loader, this.tookNanos, graceMillis, time);
		}
		catch (CodecException ex) {
			logger.warn("A value of cache '" + this.cache.name() + "' is not stored", ex);
		}
		if (entry != null && entry.bytes().length > this.cache.settings().maxBytes()) {
			logger.debug("A value of cache '" + this.cache.name() + "' is not stored, since it has "
					+ entry.bytes().length + " bytes");
			this.events.tell(this.cache.name(), CacheEvent.TOO_LONG);
			return null;
		}
		return entry;
	}

}
