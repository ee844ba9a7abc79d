package io.github.lockboot.autoconfigure.leader;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.github.lockboot.actuate.LeadersEndpoint;
import io.github.lockboot.leader.LeaderElection;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the {@link LeadersEndpoint}.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = LeaderAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LeadersEndpoint.class)
public final class LeadersEndpointAutoConfiguration {

	@Bean
	@ConditionalOnBean(LeaderElection.class)
	@ConditionalOnMissingBean
	LeadersEndpoint leadersEndpoint(ListableBeanFactory beanFactory) {
		return new LeadersEndpoint(beanFactory.getBeansOfType(LeaderElection.class).values());
	}

}
