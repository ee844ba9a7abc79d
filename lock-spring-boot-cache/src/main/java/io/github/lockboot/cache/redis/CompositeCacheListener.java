package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;

/**
 * Notifies all listeners. A failure of a listener is logged once and affects neither the
 * cache nor the other listeners.
 */
final class CompositeCacheListener implements CacheListener {

	private static final Log logger = LogFactory.getLog(CompositeCacheListener.class);

	private final List<CacheListener> listeners;

	private final Set<CacheListener> failed = ConcurrentHashMap.newKeySet();

	CompositeCacheListener(List<CacheListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void onEvent(String cacheName, CacheEvent event) {
		forEach((listener) -> listener.onEvent(cacheName, event));
	}

	@Override
	public void onLoad(String cacheName, Duration took, boolean failed) {
		forEach((listener) -> listener.onLoad(cacheName, took, failed));
	}

	@Override
	public void onRedisPaused() {
		forEach(CacheListener::onRedisPaused);
	}

	@Override
	public void onRedisResumed() {
		forEach(CacheListener::onRedisResumed);
	}

	private void forEach(Consumer<CacheListener> notification) {
		for (CacheListener listener : this.listeners) {
			try {
				notification.accept(listener);
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
