package io.github.lockboot.cache.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;

/**
 * The meters of one cache, registered at its first event.
 */
final class CacheMeters {

	private final Map<CacheEvent, Counter> events = new EnumMap<>(CacheEvent.class);

	private final Timer loaded;

	private final Timer failed;

	CacheMeters(MeterRegistry registry, String cache) {
		Tags tags = Tags.of("cache", cache);
		for (CacheEvent event : CacheEvent.values()) {
			this.events.put(event, counter(registry, tags, event));
		}
		this.loaded = timer(registry, tags, "success");
		this.failed = timer(registry, tags, "failure");
		new StandardMeters(this, cache).bindTo(registry);
	}

	private static Counter counter(MeterRegistry registry, Tags tags, CacheEvent event) {
		return switch (event) {
			case HIT -> counter(registry, tags, "lock.cache.gets", "hit");
			case LOCAL_HIT -> counter(registry, tags, "lock.cache.gets", "local");
			case STALE_HIT -> counter(registry, tags, "lock.cache.gets", "stale");
			case OUTAGE_HIT -> counter(registry, tags, "lock.cache.gets", "outage");
			case MISS -> counter(registry, tags, "lock.cache.gets", "miss");
			case SHARED -> counter(registry, tags, "lock.cache.gets", "shared");
			case ABSENT -> counter(registry, tags, "lock.cache.gets", "absent");
			case BYPASS -> counter(registry, tags, "lock.cache.gets", "bypass");
			case STORED -> counter(registry, tags, "lock.cache.stores", "stored");
			case REFUSED -> counter(registry, tags, "lock.cache.stores", "refused");
			case TOO_LONG -> counter(registry, tags, "lock.cache.stores", "too-long");
			case PUT -> counter(registry, tags, "lock.cache.stores", "put");
			case REFRESHED -> counter(registry, tags, "lock.cache.refreshes", "success");
			case REFRESH_FAILED -> counter(registry, tags, "lock.cache.refreshes", "failure");
			case EVICTED -> counter(registry, tags, "lock.cache.evictions", null);
			case UNREADABLE -> counter(registry, tags, "lock.cache.errors", "unreadable");
			case EVICTION_RETRIED -> counter(registry, tags, "lock.cache.errors", "eviction-retried");
			case REDIS_FAILED -> counter(registry, tags, "lock.cache.errors", "redis");
		};
	}

	private static Counter counter(MeterRegistry registry, Tags tags, String name, @Nullable String result) {
		return Counter.builder(name).tags((result != null) ? tags.and("result", result) : tags).register(registry);
	}

	private static Timer timer(MeterRegistry registry, Tags tags, String result) {
		return Timer.builder("lock.cache.load").tags(tags.and("result", result)).register(registry);
	}

	void count(CacheEvent event) {
		Objects.requireNonNull(this.events.get(event)).increment();
	}

	/** Return the sum of the counts of events. */
	long sum(CacheEvent... events) {
		double sum = 0;
		for (CacheEvent event : events) {
			sum += Objects.requireNonNull(this.events.get(event)).count();
		}
		return (long) sum;
	}

	void load(Duration took, boolean failed) {
		(failed ? this.failed : this.loaded).record(took);
	}

	/**
	 * The standard meters of caches, with the tags of Spring Boot: {@code cache.gets},
	 * {@code cache.puts} and {@code cache.removals}. The number of entries and the
	 * evictions of Redis are unknown.
	 */
	private static final class StandardMeters extends CacheMeterBinder<CacheMeters> {

		/** The bean name as Spring Boot shortens it. */
		private static final String MANAGER = "redisLock";

		private final CacheMeters meters;

		StandardMeters(CacheMeters meters, String cache) {
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

}
