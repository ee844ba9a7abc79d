package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;

/**
 * Tells the listeners, and does not let them hurt.
 */
final class CacheEvents {

	private static final Log logger = LogFactory.getLog(CacheEvents.class);

	private final List<CacheListener> listeners;

	private final Set<CacheListener> failed = ConcurrentHashMap.newKeySet();

	CacheEvents(List<CacheListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	void tell(String cache, CacheEvent event) {
		tell((listener) -> listener.onEvent(cache, event));
	}

	/** Tell what came of storing what was loaded. */
	void tellStore(String cache, @Nullable Boolean stored, @Nullable Throwable failure) {
		CacheEvent refused = (failure != null) ? CacheEvent.REDIS_FAILED : CacheEvent.REFUSED;
		tell(cache, Boolean.TRUE.equals(stored) ? CacheEvent.STORED : refused);
	}

	void tellLoad(String cache, long nanos, boolean failure) {
		tell((listener) -> listener.onLoad(cache, Duration.ofNanos(nanos), failure));
	}

	void tellPaused() {
		tell(CacheListener::onRedisPaused);
	}

	void tellResumed() {
		tell(CacheListener::onRedisResumed);
	}

	private void tell(Consumer<CacheListener> event) {
		for (CacheListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				if (this.failed.add(listener)) {
					logger.warn("Cache listener " + listener.getClass().getName()
							+ " failed; the cache is not affected, further failures of it are not logged", ex);
				}
			}
		}
	}

}
