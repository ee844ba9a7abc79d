package io.github.lockboot.cache.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

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

	/**
	 * The meters of one cache, registered at its first event.
	 */
	private static final class CacheMeters {

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
			// the bean name of the manager as Spring Boot shortens it
			Tags standard = Tags.of("cache.manager", "redisLock", "name", cache).and(tags);
			standard(registry, "cache.gets", standard.and("result", "hit"), CacheEvent.HIT, CacheEvent.LOCAL_HIT,
					CacheEvent.STALE_HIT, CacheEvent.OUTAGE_HIT);
			standard(registry, "cache.gets", standard.and("result", "miss"), CacheEvent.MISS, CacheEvent.SHARED,
					CacheEvent.BYPASS, CacheEvent.ABSENT);
			standard(registry, "cache.puts", standard, CacheEvent.STORED, CacheEvent.PUT);
			standard(registry, "cache.removals", standard, CacheEvent.EVICTED);
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

		/**
		 * Register a standard meter of caches, with the tags of Spring Boot, which is the
		 * sum of events. The number of entries and the evictions of Redis are unknown.
		 */
		private void standard(MeterRegistry registry, String name, Tags tags, CacheEvent... events) {
			FunctionCounter
				.builder(name, this.events,
						(counters) -> Stream.of(events)
							.mapToDouble((event) -> Objects.requireNonNull(counters.get(event)).count())
							.sum())
				.tags(tags)
				.register(registry);
		}

		void load(Duration took, boolean failed) {
			(failed ? this.failed : this.loaded).record(took);
		}

	}

}
