package io.github.lockboot.benchmarks.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;

/**
 * Does what metrics do at each event: finds its meter by cache and event, and counts.
 */
final class CountingListener implements CacheListener {

	private final ConcurrentMap<Meter, LongAdder> counts = new ConcurrentHashMap<>();

	@Override
	public void onEvent(String cacheName, CacheEvent event) {
		this.counts.computeIfAbsent(new Meter(cacheName, event), (meter) -> new LongAdder()).increment();
	}

	private record Meter(String cache, CacheEvent event) {

	}

}
