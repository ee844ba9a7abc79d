package io.github.lockboot.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.metrics.LockMetrics;
import io.github.lockboot.metrics.LockObservations;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for meters and observations of
 * locks, if the application has a registry for them.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = {
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration" })
public final class LockMonitoringAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LockMonitoringAutoConfiguration.class);

	/**
	 * Warn that nothing is measured or observed if there are several registries and none
	 * is primary.
	 */
	private static void warnOfSeveral(ListableBeanFactory beanFactory, Class<?> registry, Class<?> reporter,
			String property) {
		String[] registries = beanFactory.getBeanNamesForType(registry, true, false);
		if (registries.length > 1 && beanFactory.getBeanNamesForType(reporter, true, false).length == 0) {
			logger.warn("Locks and caches report to no " + registry.getSimpleName()
					+ ", because there are several and none is primary: " + String.join(", ", registries)
					+ ". Mark one as @Primary, or set " + property + "=false");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBooleanProperty(name = "lock.metrics.enabled", matchIfMissing = true)
	static class Metrics {

		@Bean
		@ConditionalOnSingleCandidate(MeterRegistry.class)
		@ConditionalOnMissingBean
		LockMetrics lockbootMetrics(MeterRegistry registry) {
			return new LockMetrics(registry);
		}

		@Bean
		static SmartInitializingSingleton lockbootSeveralMeterRegistriesWarning(ListableBeanFactory beanFactory) {
			return () -> warnOfSeveral(beanFactory, MeterRegistry.class, LockMetrics.class, "lock.metrics.enabled");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationRegistry.class)
	@ConditionalOnBooleanProperty(name = "lock.observations.enabled")
	static class Observations {

		@Bean
		@ConditionalOnSingleCandidate(ObservationRegistry.class)
		@ConditionalOnMissingBean
		LockObservations lockbootObservations(ObservationRegistry registry) {
			return new LockObservations(registry);
		}

		@Bean
		static SmartInitializingSingleton lockbootSeveralObservationRegistriesWarning(ListableBeanFactory beanFactory) {
			return () -> warnOfSeveral(beanFactory, ObservationRegistry.class, LockObservations.class,
					"lock.observations.enabled");
		}

	}

}
