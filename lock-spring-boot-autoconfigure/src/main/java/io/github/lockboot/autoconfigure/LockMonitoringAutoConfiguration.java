package io.github.lockboot.autoconfigure;

import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.concurrent.WarningLog;
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

	private static final String HOLD_WARNING_TIME = "lock.hold-warning-time";

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

	@Bean
	@ConditionalOnProperty(HOLD_WARNING_TIME)
	static @Nullable HoldWarning lockbootHoldWarning(Environment environment) {
		return Binder.get(environment).bind(HOLD_WARNING_TIME, Duration.class).map(HoldWarning::new).orElse(null);
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

	/**
	 * Warns of holds that last longer than a limit, such as those of handles that nobody
	 * closes, with the stack of the call that requested the lock. Leaders are no concern,
	 * because they hold the lock of their role.
	 */
	static final class HoldWarning implements LockListener, AutoCloseable {

		private static final LockListener NO_CONCERN = new LockListener() {
		};

		private final Duration limit;

		private final MonotonicClock clock;

		private final WarningLog warnings;

		HoldWarning(Duration limit) {
			this.limit = limit;
			this.clock = new SystemClock("lock-hold-warning");
			this.warnings = WarningLog.of(logger, this.clock, "locks have been held for long");
		}

		@Override
		public LockListener onRequested(LockRequest request) {
			String group = request.group();
			return (group != null && group.startsWith("leader:")) ? NO_CONCERN : new Call();
		}

		@Override
		public void close() {
			this.clock.close();
		}

		/** A call that requests a lock, and its hold. */
		private final class Call implements LockListener {

			private final Throwable stack = new Throwable(
					"requested here, by thread " + Thread.currentThread().getName());

			private volatile MonotonicClock.@Nullable Timer timer;

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				this.timer = HoldWarning.this.clock.schedule(HoldWarning.this.limit,
						() -> HoldWarning.this.warnings.warn(request.name(),
								"Lock '" + request.name() + "' has been held for more than "
										+ HoldWarning.this.limit.toMillis() + " ms (lock.hold-warning-time)",
								this.stack));
			}

			@Override
			public void onReleased(LockRequest request, LockHandle handle, Duration held) {
				end();
			}

			@Override
			public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
				end();
			}

			private void end() {
				MonotonicClock.Timer timer = this.timer;
				if (timer != null) {
					timer.cancel();
				}
			}

		}

	}

}
