package io.github.lockboot.cache.autoconfigure;

import io.lettuce.core.RedisClient;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.redis.RedisCacheTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the cache in Redis. The template
 * is created when it is injected, or at the start if there are annotated methods; it
 * connects in the background.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
		"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration" })
@ConditionalOnClass({ RedisConnectionFactory.class, RedisClient.class })
@ConditionalOnBooleanProperty(name = "lock.cache.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ LockProperties.class, CacheProperties.class })
public final class RedisCacheAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean(CacheOperations.class)
	RedisCacheTemplate redisLockCacheTemplate(ListableBeanFactory beanFactory, LockProperties locks,
			CacheProperties cache, Environment environment) {
		return RedisCacheTemplateFactory.create(beanFactory, locks, cache, environment);
	}

}
