package io.github.lockboot.autoconfigure;

import java.util.List;

import io.lettuce.core.RedisClient;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockOperations;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for locks in Redis.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
		"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration" })
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "lock.backend", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(LockProperties.class)
public final class RedisLockAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisClient.class)
	static class WithLettuce {

		@Bean
		@ConditionalOnMissingBean(LockOperations.class)
		RedisLockTemplate lockTemplate(ListableBeanFactory beanFactory, LockProperties properties,
				ObjectProvider<LockListener> listeners) {
			LockProperties.Redis redis = properties.getRedis();
			RedisLockSettings settings = new RedisLockSettings(properties.getKeyPrefix(),
					NamedLockDefaults.of(properties), redis.getCommandTimeout(), redis.isForeignClients());
			LettuceConnectionFactory connectionFactory = new LettuceConnectionFactorySelector(beanFactory)
				.select(redis.getConnectionFactory());
			List<LockListener> told = listeners.orderedStream().toList();
			try {
				return new RedisLockTemplate(connectionFactory, settings, told);
			}
			catch (IllegalArgumentException ex) {
				throw LockSetupException.serverIsNotSupported(ex);
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("io.lettuce.core.RedisClient")
	static class WithoutLettuce {

		@Bean
		@ConditionalOnMissingBean(LockOperations.class)
		LockOperations lockTemplate() {
			throw LockSetupException.lettuceIsMissing();
		}

	}

}
