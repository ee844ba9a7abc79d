package io.github.lockboot.actuate;

import java.util.Map;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.LockOperations;

/**
 * The health of locks in Spring Boot 3, as {@link LockHealthIndicator} shows it in
 * Spring Boot 4.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnEnabledHealthIndicator("locks")
class Boot3LockHealthConfiguration {

	@Bean
	@ConditionalOnBean(LockOperations.class)
	@ConditionalOnMissingBean(name = { "locksHealthIndicator", "locksHealthContributor" })
	HealthContributor locksHealthContributor(ListableBeanFactory beanFactory) {
		Map<String, LockOperations> templates = beanFactory.getBeansOfType(LockOperations.class);
		return (templates.size() == 1) ? indicator(templates.values().iterator().next())
				: CompositeHealthContributor.fromMap(templates, Boot3LockHealthConfiguration::indicator);
	}

	private static HealthIndicator indicator(LockOperations template) {
		return () -> {
			LockHealth health = LockHealth.of(template);
			Health.Builder builder = health.isLate() ? Health.outOfService() : Health.up();
			if (health.failure() != null) {
				builder.down(health.failure());
			}
			return builder.withDetails(health.details()).build();
		};
	}

}
