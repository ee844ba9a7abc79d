package io.github.lockboot.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.actuate.LockHealthIndicator;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.metrics.LockMetrics;
import io.github.lockboot.metrics.LockObservations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Meters and observations are configured if there is a registry for them, and the health
 * of each template.
 */
class LockMonitoringAutoConfigurationTests {

	private final ApplicationContextRunner runner = LockRunners.local(LockMonitoringAutoConfiguration.class,
			LockHealthContributorAutoConfiguration.class);

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aHoldThatIsTooLongIsLoggedWithTheStackOfItsCall(CapturedOutput output) {
		this.runner.withPropertyValues("lock.hold-warning-time=100ms").run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			locks.acquire("brief").close();
			locks.acquire(LockRequest.of("leader").group("leader:reports"));
			leakAHandle(locks);
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("Lock 'leaked' has been held for more than 100 ms",
						"requested here, by thread ", ".leakAHandle("));
			assertThat(output).doesNotContain("'brief'", "'leader'");
		});
	}

	private static void leakAHandle(LockOperations locks) {
		locks.acquireAsync(LockRequest.of("leaked"));
	}

	@Test
	void severalRegistriesWithoutAPrimaryOneLogAWarning() {
		try (CapturedLog log = new CapturedLog()) {
			withTwoRegistries().run((context) -> assertThat(context).doesNotHaveBean(LockMetrics.class));
			assertThat(log.lines("MeterRegistry")).singleElement()
				.asString()
				.startsWith("WARN")
				.contains("first, second", "@Primary", "lock.metrics.enabled=false");
		}
	}

	@Test
	void severalRegistriesBecomeOneIfBootCombinesThem() {
		try (CapturedLog log = new CapturedLog()) {
			withTwoRegistries()
				.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
						CompositeMeterRegistryAutoConfiguration.class))
				.run((context) -> {
					context.getBean(LockOperations.class).acquire("a").close();
					assertThat(context.getBean("second", MeterRegistry.class).get("lock.hold").timer().count()).isOne();
				});
			assertThat(log.lines("MeterRegistry")).isEmpty();
		}
	}

	@Test
	void severalRegistriesLogNothingWithoutMetrics() {
		try (CapturedLog log = new CapturedLog()) {
			withTwoRegistries().withPropertyValues("lock.metrics.enabled=false")
				.run((context) -> assertThat(context).hasNotFailed());
			assertThat(log.lines("MeterRegistry")).isEmpty();
		}
	}

	@Test
	void severalObservationRegistriesWithoutAPrimaryOneLogAWarning() {
		try (CapturedLog log = new CapturedLog()) {
			this.runner.withPropertyValues("lock.observations.enabled=true")
				.withBean("first", ObservationRegistry.class, ObservationRegistry::create)
				.withBean("second", ObservationRegistry.class, ObservationRegistry::create)
				.run((context) -> assertThat(context).doesNotHaveBean(LockObservations.class));
			assertThat(log.lines("ObservationRegistry")).singleElement().asString().contains("first, second");
		}
	}

	@Test
	void theRegistryOfBootIsFoundInAnyOrder() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
							SimpleMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class))
			.withPropertyValues("lock.observations.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(LockMetrics.class)
				.hasSingleBean(LockObservations.class));
	}

	@Test
	void annotatedMethodsAreMeasuredUnderTheirName() {
		this.runner.withBean(SimpleMeterRegistry.class).withBean(Orders.class).run((context) -> {
			context.getBean(Orders.class).pay("42");
			assertThat(context.getBean(MeterRegistry.class).get("lock.hold").tag("name", "order").timer().count())
				.isOne();
		});
	}

	/** With both registries, or none. */
	@ParameterizedTest
	@CsvSource({ "lock.observations.enabled=true, false, false, false",
			"lock.observations.enabled=false, true, true, false", "lock.metrics.enabled=false, true, false, false",
			"lock.hold-warning-time=1m, true, true, false", "lock.hold-warning-time=, true, true, false" })
	void metersAreCreatedByDefaultAndObservationsAreNot(String property, boolean registries, boolean metrics,
			boolean observations) {
		ApplicationContextRunner measured = this.runner.withBean(SimpleMeterRegistry.class)
			.withBean(ObservationRegistry.class, TestObservationRegistry::create);
		(registries ? measured : this.runner).withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeansOfType(LockMetrics.class)).hasSize(metrics ? 1 : 0);
			assertThat(context.getBeansOfType(LockObservations.class)).hasSize(observations ? 1 : 0);
		});
	}

	@Test
	void observationsCanBeEnabled() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withPropertyValues("lock.observations.enabled=true")
			.run((context) -> {
				context.getBean(LockOperations.class).acquire("a").close();
				TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
					.hasObservationWithNameEqualTo("lock.held");
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { MeterRegistry.class, ObservationRegistry.class })
	void missingClassesDoNotStopTheStart(Class<?> missing) {
		this.runner.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockOperations.class)
				.doesNotHaveBean(LockMetrics.class));
	}

	@Test
	void theOnlyTemplateHasAnIndicator() {
		this.runner.run((context) -> assertThat(context).getBean("locksHealthContributor")
			.isInstanceOf(LockHealthIndicator.class));
	}

	@Test
	void eachOfSeveralTemplatesHasAnIndicatorByItsName() {
		this.runner.withBean("first", LockOperations.class, RecordingLockOperations::new)
			.withBean("second", LockOperations.class, RecordingLockOperations::new, (bean) -> bean.setPrimary(true))
			.run((context) -> assertThat(context).getBean(CompositeHealthContributor.class)
				.satisfies((health) -> assertThat(health.stream().map((entry) -> entry.name()))
					.containsExactlyInAnyOrder("first", "second")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.health.locks.enabled", "lock.enabled" })
	void disabledHealthOrLocksHaveNoIndicator(String property) {
		this.runner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthContributor.class));
	}

	static class Orders {

		@DistributedLock(name = "order", key = "#id")
		public void pay(String id) {
		}

	}

	private ApplicationContextRunner withTwoRegistries() {
		return this.runner.withBean("first", MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("second", MeterRegistry.class, SimpleMeterRegistry::new);
	}

}
