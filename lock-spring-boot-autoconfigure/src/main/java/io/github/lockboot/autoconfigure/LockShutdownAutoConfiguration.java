package io.github.lockboot.autoconfigure;

import java.time.Duration;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the shutdown of locks. This
 * auto-configuration has no condition, because an application may define its own
 * templates.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@EnableConfigurationProperties(LockProperties.class)
public final class LockShutdownAutoConfiguration {

	@Bean
	static LockShutdown lockbootShutdown(ConfigurableListableBeanFactory beanFactory, LockProperties properties) {
		LockProperties.Shutdown shutdown = properties.getShutdown();
		return new LockShutdown(beanFactory, shutdown.getTimeout(), shutdown.isRelease(), replyTime(properties));
	}

	/** Return how long to wait for a reply of the store. */
	static Duration replyTime(LockProperties properties) {
		return switch (properties.getBackend()) {
			case JDBC -> properties.getJdbc().getStatementTimeout();
			case ZOOKEEPER -> properties.getZookeeper().getConnectionTimeout();
			default -> properties.getRedis().getCommandTimeout();
		};
	}

}
