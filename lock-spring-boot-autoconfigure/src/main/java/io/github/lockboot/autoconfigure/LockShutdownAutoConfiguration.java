package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.Objects;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.LockBackends;

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
	static LockShutdown lockbootShutdown(ConfigurableListableBeanFactory beanFactory, LockProperties properties,
			Environment environment) {
		LockProperties.Shutdown shutdown = properties.shutdown();
		return new LockShutdown(beanFactory, shutdown.timeout(), shutdown.release(),
				replyTime(properties.backend(), Binder.get(environment)));
	}

	/** Return how long to wait for a reply of the store. */
	static Duration replyTime(String backend, Binder binder) {
		LockBackend store = Objects.requireNonNull(LockBackends.find(backend), "checked with the properties");
		return store.replyTimeout().apply(binder);
	}

}
