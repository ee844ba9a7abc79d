package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.LockOperations;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.actuate.LockHealthIndicator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Auto-configuration of the health of locks.
 */
class LockHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner runner = LockRunners.local(LockHealthContributorAutoConfiguration.class);

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

	@Test
	void disabledHealthHasNoIndicator() {
		this.runner.withPropertyValues("management.health.locks.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthContributor.class));
	}

	@Test
	void withoutATemplateThereIsNoIndicator() {
		this.runner.withPropertyValues("lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthContributor.class));
	}

}
