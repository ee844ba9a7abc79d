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
import io.github.lockboot.leader.LeaderElection;

/**
 * The health of locks in Spring Boot 3, as {@link LockHealthIndicator} shows it in
 * Spring Boot 4, and that of leaders.
 */
@Configuration(proxyBeanMethods = false)
class Boot3LockHealthConfiguration {

	@Bean
	@ConditionalOnEnabledHealthIndicator("locks")
	@ConditionalOnBean(LockOperations.class)
	@ConditionalOnMissingBean(name = { "locksHealthIndicator", "locksHealthContributor" })
	HealthContributor locksHealthContributor(ListableBeanFactory beanFactory) {
		Map<String, LockOperations> templates = beanFactory.getBeansOfType(LockOperations.class);
		return (templates.size() == 1) ? indicator(templates.values().iterator().next())
				: CompositeHealthContributor.fromMap(templates, Boot3LockHealthConfiguration::indicator);
	}

	@Bean
	@ConditionalOnEnabledHealthIndicator("leaders")
	@ConditionalOnBean(LeaderElection.class)
	@ConditionalOnMissingBean(name = { "leadersHealthIndicator", "leadersHealthContributor" })
	HealthIndicator leadersHealthContributor(ListableBeanFactory beanFactory) {
		LeadersEndpoint leaders = new LeadersEndpoint(beanFactory.getBeansOfType(LeaderElection.class).values());
		return () -> Health.up().withDetails(leaders.leaders().roles()).build();
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
