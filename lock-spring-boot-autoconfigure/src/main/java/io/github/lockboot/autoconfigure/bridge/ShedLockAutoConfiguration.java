package io.github.lockboot.autoconfigure.bridge;

import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.ReactiveLockAutoConfiguration;
import io.github.lockboot.bridge.shedlock.LockOperationsProvider;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a lock provider of ShedLock.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = ReactiveLockAutoConfiguration.class)
@ConditionalOnClass(LockProvider.class)
@ConditionalOnSingleCandidate(LockOperations.class)
public final class ShedLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockProvider.class)
	LockOperationsProvider lockOperationsProvider(LockOperations operations) {
		return new LockOperationsProvider(operations);
	}

}
