package io.github.lockboot.cache.metrics;

import java.time.Duration;
import java.util.Map;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.cache.CacheEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Events of caches and their meters.
 */
class CacheMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final CacheMetrics metrics = new CacheMetrics(this.registry);

	@ParameterizedTest
	@EnumSource
	void eachEventIsCountedOnce(CacheEvent event) {
		this.metrics.onEvent("product", event);
		assertThat(this.registry.getMeters()).filteredOn(Counter.class::isInstance)
			.map((meter) -> ((Counter) meter).count())
			.containsOnlyOnce(1.0)
			.hasSize(CacheEvent.values().length);
	}

	@Test
	void metersByTheConventionsOfMicrometerHaveTheSameValues() {
		Map.of(CacheEvent.LOCAL_HIT, 3, CacheEvent.HIT, 2, CacheEvent.SHARED, 1, CacheEvent.ABSENT, 3,
				CacheEvent.STORED, 1, CacheEvent.PUT, 4, CacheEvent.EVICTED, 6)
			.forEach((event, times) -> {
				for (int i = 0; i < times; i++) {
					this.metrics.onEvent("product", event);
				}
			});
		Tags tags = Tags.of("cache", "product", "cache.manager", "redisLock", "name", "product");
		assertThat(standard("cache.gets", tags.and("result", "hit"))).isEqualTo(5);
		assertThat(standard("cache.gets", tags.and("result", "miss"))).isEqualTo(4);
		assertThat(standard("cache.puts", tags)).isEqualTo(5);
		assertThat(standard("cache.removals", tags)).isEqualTo(6);
	}

	@Test
	void unknownValuesHaveNoMeter() {
		this.metrics.onEvent("product", CacheEvent.HIT);
		assertThat(this.registry.find("cache.size").meters()).isEmpty();
		assertThat(this.registry.find("cache.evictions").meters()).isEmpty();
	}

	private double standard(String name, Tags tags) {
		assertThat(this.registry.get(name).functionCounters()).map((meter) -> meter.getId().getTags())
			.contains(tags.stream().toList());
		return this.registry.get(name).tags(tags).functionCounter().count();
	}

	@Test
	void loadsAreTimedByTheirResult() {
		this.metrics.onLoad("product", Duration.ofMillis(5), false);
		this.metrics.onLoad("product", Duration.ofMillis(7), true);
		assertThat(this.registry.get("lock.cache.load").tag("result", "failure").timer().count()).isOne();
		assertThat(this.registry.get("lock.cache.load").tag("result", "success").timer().count()).isOne();
	}

	@Test
	void aPauseOfRedisIsShownUntilItRepliesAgain() {
		this.metrics.onRedisPaused();
		assertThat(this.registry.get("lock.cache.paused").gauge().value()).isOne();
		this.metrics.onRedisResumed();
		assertThat(this.registry.get("lock.cache.paused").gauge().value()).isZero();
	}

}
