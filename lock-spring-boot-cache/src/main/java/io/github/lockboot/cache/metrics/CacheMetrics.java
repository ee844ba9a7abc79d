package io.github.lockboot.cache.metrics;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import io.github.lockboot.Internal;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;

/**
 * Updates the meters of caches. Thread-safe.
 */
@Internal
public final class CacheMetrics implements CacheListener {

	private final MeterRegistry registry;

	private final ConcurrentMap<String, CacheMeters> caches = new ConcurrentHashMap<>();

	private final AtomicInteger paused = new AtomicInteger();

	public CacheMetrics(MeterRegistry registry) {
		this.registry = registry;
		Gauge.builder("lock.cache.paused", this.paused, AtomicInteger::get).register(registry);
	}

	@Override
	public void onEvent(String cacheName, CacheEvent event) {
		meters(cacheName).count(event);
	}

	@Override
	public void onLoad(String cacheName, Duration took, boolean failed) {
		meters(cacheName).load(took, failed);
	}

	@Override
	public void onRedisPaused() {
		this.paused.incrementAndGet();
	}

	@Override
	public void onRedisResumed() {
		this.paused.decrementAndGet();
	}

	private CacheMeters meters(String cacheName) {
		CacheMeters meters = this.caches.get(cacheName);
		return (meters != null) ? meters
				: this.caches.computeIfAbsent(cacheName, (name) -> new CacheMeters(this.registry, name));
	}

}
