package io.github.lockboot.benchmarks.cache;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.DoubleAdder;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;

/**
 * Does the same work as the library's metrics at each event: finds the meters of the
 * cache, then the meter of the event, and counts as Micrometer does.
 */
final class CountingListener implements CacheListener {

	private final ConcurrentMap<String, Map<CacheEvent, DoubleAdder>> caches = new ConcurrentHashMap<>();

	@Override
	public void onEvent(String cacheName, CacheEvent event) {
		Objects.requireNonNull(counts(cacheName).get(event)).add(1);
	}

	private Map<CacheEvent, DoubleAdder> counts(String cacheName) {
		Map<CacheEvent, DoubleAdder> counts = this.caches.get(cacheName);
		return (counts != null) ? counts : this.caches.computeIfAbsent(cacheName, (name) -> noCounts());
	}

	private static Map<CacheEvent, DoubleAdder> noCounts() {
		Map<CacheEvent, DoubleAdder> counts = new EnumMap<>(CacheEvent.class);
		Arrays.stream(CacheEvent.values()).forEach((event) -> counts.put(event, new DoubleAdder()));
		return counts;
	}

}
