package io.github.lockboot.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Flux;

import io.github.lockboot.LockOperations;
import io.github.lockboot.ReactiveLockOperations;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the reactive form of the locks.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = { RedisLockAutoConfiguration.class, LocalLockAutoConfiguration.class })
@ConditionalOnClass(Flux.class)
@ConditionalOnSingleCandidate(LockOperations.class)
@EnableConfigurationProperties(LockProperties.class)
public final class ReactiveLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ReactiveLockOperations reactiveLockOperations(LockOperations operations, LockProperties properties) {
		return ReactiveLockOperations.of(operations, properties.onLost());
	}

}
