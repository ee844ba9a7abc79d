package io.github.lockboot.cache.observation;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;

/**
 * The meters of one cache. They exist from its first event on.
 */
final class CacheMeters {

	private final Map<CacheEvent, Counter> events = new EnumMap<>(CacheEvent.class);

	private final Timer loaded;

	private final Timer failed;

	CacheMeters(MeterRegistry registry, String cache) {
		Tags tags = Tags.of(CacheTag.CACHE.asString(), cache);
		for (CacheEvent event : CacheEvent.values()) {
			this.events.put(event, counter(registry, tags, event));
		}
		this.loaded = timer(registry, tags, "success");
		this.failed = timer(registry, tags, "failure");
	}

	private static Counter counter(MeterRegistry registry, Tags tags, CacheEvent event) {
		return switch (event) {
			case HIT -> counter(registry, tags, CacheMeter.GETS, "hit");
			case LOCAL_HIT -> counter(registry, tags, CacheMeter.GETS, "local");
			case STALE_HIT -> counter(registry, tags, CacheMeter.GETS, "stale");
			case OUTAGE_HIT -> counter(registry, tags, CacheMeter.GETS, "outage");
			case MISS -> counter(registry, tags, CacheMeter.GETS, "miss");
			case SHARED -> counter(registry, tags, CacheMeter.GETS, "shared");
			case BYPASS -> counter(registry, tags, CacheMeter.GETS, "bypass");
			case STORED -> counter(registry, tags, CacheMeter.STORES, "stored");
			case REFUSED -> counter(registry, tags, CacheMeter.STORES, "refused");
			case TOO_LONG -> counter(registry, tags, CacheMeter.STORES, "too-long");
			case PUT -> counter(registry, tags, CacheMeter.STORES, "put");
			case REFRESHED -> counter(registry, tags, CacheMeter.REFRESHES, "success");
			case REFRESH_FAILED -> counter(registry, tags, CacheMeter.REFRESHES, "failure");
			case EVICTED -> counter(registry, tags, CacheMeter.EVICTIONS, null);
			case UNREADABLE -> counter(registry, tags, CacheMeter.ERRORS, "unreadable");
			case EVICTION_RETRIED -> counter(registry, tags, CacheMeter.ERRORS, "eviction-retried");
			case REDIS_FAILED -> counter(registry, tags, CacheMeter.ERRORS, "redis");
		};
	}

	private static Counter counter(MeterRegistry registry, Tags tags, CacheMeter meter, @Nullable String result) {
		return Counter.builder(meter.getName())
			.tags((result != null) ? tags.and(CacheTag.RESULT.asString(), result) : tags)
			.register(registry);
	}

	private static Timer timer(MeterRegistry registry, Tags tags, String result) {
		return Timer.builder(CacheMeter.LOAD.getName())
			.tags(tags.and(CacheTag.RESULT.asString(), result))
			.register(registry);
	}

	void count(CacheEvent event) {
		Objects.requireNonNull(this.events.get(event)).increment();
	}

	void load(Duration took, boolean failed) {
		(failed ? this.failed : this.loaded).record(took);
	}

}
