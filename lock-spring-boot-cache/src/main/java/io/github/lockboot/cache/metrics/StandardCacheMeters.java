package io.github.lockboot.cache.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;

/**
 * The standard meters of caches, with the tags of Spring Boot: {@code cache.gets},
 * {@code cache.puts} and {@code cache.removals}. The number of entries and the evictions
 * of Redis are unknown.
 */
final class StandardCacheMeters extends CacheMeterBinder<CacheMeters> {

	/** The bean name as Spring Boot shortens it. */
	private static final String MANAGER = "redisLock";

	private final CacheMeters meters;

	StandardCacheMeters(CacheMeters meters, String cache) {
		super(meters, cache, Tags.of("cache.manager", MANAGER, "name", cache));
		this.meters = meters;
	}

	@Override
	protected @Nullable Long size() {
		return null;
	}

	@Override
	protected long hitCount() {
		return this.meters.sum(CacheEvent.HIT, CacheEvent.LOCAL_HIT, CacheEvent.STALE_HIT, CacheEvent.OUTAGE_HIT);
	}

	@Override
	protected Long missCount() {
		return this.meters.sum(CacheEvent.MISS, CacheEvent.SHARED, CacheEvent.BYPASS, CacheEvent.ABSENT);
	}

	@Override
	protected @Nullable Long evictionCount() {
		return null;
	}

	@Override
	protected long putCount() {
		return this.meters.sum(CacheEvent.STORED, CacheEvent.PUT);
	}

	@Override
	protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
		FunctionCounter.builder("cache.removals", this.meters, (meters) -> meters.sum(CacheEvent.EVICTED))
			.tags(getTagsWithCacheName())
			.description("Cache removals")
			.register(registry);
	}

}
