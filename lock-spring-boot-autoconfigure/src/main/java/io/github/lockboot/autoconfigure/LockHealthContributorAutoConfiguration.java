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
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.actuate.LeadersEndpoint;
import io.github.lockboot.actuate.LockHealthIndicator;
import io.github.lockboot.leader.LeaderElection;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health indicators of locks
 * and leaders. If there are several templates, each has its own indicator, by bean name.
 * An instance that does not lead is as healthy as the leader.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = { RedisLockAutoConfiguration.class, LocalLockAutoConfiguration.class },
		afterName = "io.github.lockboot.autoconfigure.leader.LeaderAutoConfiguration")
@Import(LockHealthContributorAutoConfiguration.Boot3.class)
public final class LockHealthContributorAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
	static class Boot4 {

		@Bean
		@ConditionalOnEnabledHealthIndicator("locks")
		@ConditionalOnBean(LockOperations.class)
		@ConditionalOnMissingBean(name = { "locksHealthIndicator", "locksHealthContributor" })
		HealthContributor locksHealthContributor(ListableBeanFactory beanFactory) {
			Map<String, LockOperations> templates = beanFactory.getBeansOfType(LockOperations.class);
			return (templates.size() == 1) ? new LockHealthIndicator(templates.values().iterator().next())
					: CompositeHealthContributor.fromMap(templates, LockHealthIndicator::new);
		}

		@Bean
		@ConditionalOnEnabledHealthIndicator("leaders")
		@ConditionalOnClass(name = "org.springframework.boot.actuate.endpoint.OperationResponseBody")
		@ConditionalOnBean(LeaderElection.class)
		@ConditionalOnMissingBean(name = { "leadersHealthIndicator", "leadersHealthContributor" })
		HealthIndicator leadersHealthContributor(ListableBeanFactory beanFactory) {
			LeadersEndpoint leaders = new LeadersEndpoint(beanFactory.getBeansOfType(LeaderElection.class).values());
			return () -> Health.up().withDetails(leaders.leaders().roles()).build();
		}

	}

	/**
	 * Imports a class of {@code src/boot3}, which is compiled against Spring Boot 3, by
	 * its name.
	 */
	static class Boot3 implements ImportSelector {

		private static final boolean PRESENT = ClassUtils.isPresent(
				"org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator",
				Boot3.class.getClassLoader());

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			return PRESENT ? new String[] { "io.github.lockboot.actuate.Boot3LockHealthConfiguration" } : new String[0];
		}

	}

}
