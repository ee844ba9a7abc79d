package io.github.lockboot.cache.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

import io.github.lockboot.cache.metrics.CacheMetrics;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for meters of caches, if the
 * application has a registry for them.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = {
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = { "lock.metrics.enabled", "lock.cache.enabled" }, matchIfMissing = true)
public final class CacheMetricsAutoConfiguration {

	/** Created with the cache. */
	@Bean
	@Lazy
	@ConditionalOnSingleCandidate(MeterRegistry.class)
	@ConditionalOnMissingBean
	CacheMetrics lockbootCacheMetrics(MeterRegistry registry) {
		return new CacheMetrics(registry);
	}

}
