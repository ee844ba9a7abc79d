package io.github.lockboot.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the shutdown of locks. It has no
 * condition, because an application may define its own templates.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@EnableConfigurationProperties(LockProperties.class)
public final class LockShutdownAutoConfiguration {

	@Bean
	static LockShutdown lockbootShutdown(ConfigurableListableBeanFactory beanFactory, LockProperties properties) {
		LockProperties.Shutdown shutdown = properties.getShutdown();
		return new LockShutdown(beanFactory, shutdown.getTimeout(), shutdown.isRelease(),
				(properties.getBackend() == LockProperties.Backend.JDBC) ? properties.getJdbc().getStatementTimeout()
						: properties.getRedis().getCommandTimeout());
	}

}
