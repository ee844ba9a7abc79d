package io.github.lockboot.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.github.lockboot.LockOperations;
import io.github.lockboot.actuate.LocksEndpoint;
import io.github.lockboot.actuate.LocksEndpointWebExtension;
import io.github.lockboot.actuate.LongestWaits;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the {@link LocksEndpoint}.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = { RedisLockAutoConfiguration.class, LocalLockAutoConfiguration.class })
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
public final class LocksEndpointAutoConfiguration {

	@Bean
	@ConditionalOnBean(LockOperations.class)
	@ConditionalOnMissingBean
	LocksEndpoint locksEndpoint(ListableBeanFactory beanFactory, LongestWaits longestWaits) {
		return new LocksEndpoint(beanFactory.getBeansOfType(LockOperations.class), longestWaits);
	}

	@Bean
	LongestWaits lockbootLongestWaits() {
		return new LongestWaits();
	}

	@Bean
	@ConditionalOnBean(LocksEndpoint.class)
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class, exposure = EndpointExposure.WEB)
	LocksEndpointWebExtension locksEndpointWebExtension(LocksEndpoint locksEndpoint) {
		return new LocksEndpointWebExtension(locksEndpoint);
	}

}
