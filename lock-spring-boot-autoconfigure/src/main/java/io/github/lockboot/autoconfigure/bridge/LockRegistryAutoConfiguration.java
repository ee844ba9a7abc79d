package io.github.lockboot.autoconfigure.bridge;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.ReactiveLockAutoConfiguration;
import io.github.lockboot.bridge.integration.LockOperationsRegistry;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a lock registry of Spring
 * Integration.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = ReactiveLockAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnSingleCandidate(LockOperations.class)
public final class LockRegistryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockRegistry.class)
	LockOperationsRegistry lockOperationsRegistry(LockOperations operations) {
		return new LockOperationsRegistry(operations);
	}

}
