package io.github.lockboot.autoconfigure;

import java.util.Map;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

import io.github.lockboot.LockOperations;
import io.github.lockboot.actuate.LockHealthIndicator;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health indicator of locks.
 * If there are several templates each has its own, by its bean name.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = { RedisLockAutoConfiguration.class, LocalLockAutoConfiguration.class })
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("locks")
public final class LockHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnBean(LockOperations.class)
	@ConditionalOnMissingBean(name = { "locksHealthIndicator", "locksHealthContributor" })
	HealthContributor locksHealthContributor(ListableBeanFactory beanFactory) {
		Map<String, LockOperations> templates = beanFactory.getBeansOfType(LockOperations.class);
		return (templates.size() == 1) ? new LockHealthIndicator(templates.values().iterator().next())
				: CompositeHealthContributor.fromMap(templates, LockHealthIndicator::new);
	}

}
