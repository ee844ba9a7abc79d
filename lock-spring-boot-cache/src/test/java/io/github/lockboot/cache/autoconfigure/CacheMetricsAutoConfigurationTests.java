package io.github.lockboot.cache.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.metrics.CacheMetrics;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Caches are measured if the application has a registry for meters.
 */
@RedisTest
class CacheMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(CacheMetricsAutoConfiguration.class));

	private final RedisServer redis;

	CacheMetricsAutoConfigurationTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void cachesAreMeasuredUnderTheirNames() {
		application().run((context) -> {
			FirstConnection.await(context.getBean(CacheOperations.class));
			Shop shop = context.getBean(Shop.class);
			shop.find(1);
			shop.find(1);
			shop.find(1);
			shop.change(1);
			assertThat(gets(context, "miss")).isOne();
			assertThat(gets(context, "hit") + gets(context, "shared")).isEqualTo(2);
			assertThat(meters(context).get("lock.cache.load").tag("result", "success").timer().count()).isOne();
			assertThat(meters(context).get("lock.cache.evictions").tag("cache", "product").counter().count()).isOne();
		});
	}

	@Test
	void theRegistryOfBootIsFoundInAnyOrder() {
		this.runner
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(CacheListener.class));
	}

	@Test
	void metersOfCachesAreNotCreatedWithoutACache() {
		this.runner.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "lock.metrics.enabled", "lock.cache.enabled" })
	void nothingIsCreatedIfMetricsOrTheCacheAreDisabled(String property) {
		assertNotMeasured(this.runner.withBean(SimpleMeterRegistry.class).withPropertyValues(property + "=false"));
	}

	@Test
	void nothingIsCreatedWithoutARegistryOrWithoutMicrometer() {
		assertNotMeasured(this.runner);
		assertNotMeasured(this.runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class)));
	}

	private static void assertNotMeasured(ApplicationContextRunner runner) {
		runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CacheMetrics.class));
	}

	private ApplicationContextRunner application() {
		return CachedApplication.on(this.redis)
			.withConfiguration(AutoConfigurations.of(CacheMetricsAutoConfiguration.class))
			.withBean(SimpleMeterRegistry.class)
			.withBean(Shop.class);
	}

	private static double gets(AssertableApplicationContext context, String result) {
		return meters(context).get("lock.cache.gets").tag("cache", "product").tag("result", result).counter().count();
	}

	private static MeterRegistry meters(AssertableApplicationContext context) {
		return context.getBean(MeterRegistry.class);
	}

	static class Shop {

		@RedisCache(name = "product", key = "#id")
		public String find(int id) {
			return "product " + id;
		}

		@RedisCacheEvict(name = "product", key = "#id")
		public void change(int id) {
		}

	}

}
