package io.github.lockboot.autoconfigure;

import java.util.Map;
import java.util.function.Function;

import io.lettuce.core.RedisClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.RedisFeature;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.redlock.RedlockTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for locks in Redis. The name of this
 * class places it before the auto-configurations of Spring Boot, so that the connection
 * begins before their beans are created.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "lock.backend", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(LockProperties.class)
public final class RedisLockAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisClient.class)
	static class WithLettuce {

		@Bean
		static FirstConnection lockbootFirstConnection() {
			return new FirstConnection();
		}

		@Bean
		@ConditionalOnMissingBean(LockOperations.class)
		@Conditional(OnRedlock.class)
		RedlockTemplate redlockTemplate(ListableBeanFactory beanFactory, LockProperties properties) {
			LockTemplates templates = LockTemplates.of(beanFactory);
			return connect(beanFactory, properties, (redis) -> new RedlockTemplate(redis,
					properties.redis().redlock().nodes(), templates.redisSettings(), templates.listeners()));
		}

		/** Registered after that of Redlock, beside which there is none. */
		@Bean
		@ConditionalOnMissingBean(LockOperations.class)
		RedisLockTemplate redisLockTemplate(ListableBeanFactory beanFactory, LockProperties properties,
				FirstConnection lockbootFirstConnection) {
			LockTemplates templates = LockTemplates.of(beanFactory);
			RedisLockTemplate template = connect(beanFactory, properties,
					(redis) -> new RedisLockTemplate(redis, templates.redisSettings(), templates.listeners()));
			lockbootFirstConnection.begun(template);
			return template;
		}

		private static <T> T connect(ListableBeanFactory beanFactory, LockProperties properties,
				Function<ConnectionSettings, T> template) {
			LockSetupException.checkBackend(LockBackend.REDIS, properties);
			return new LettuceConnectionFactorySelector(beanFactory, RedisFeature.LOCKS)
				.connect(properties.redis().connectionFactory(), template);
		}

	}

	/** Waits for the connection that was begun while other beans were created. */
	static final class FirstConnection implements SmartInitializingSingleton {

		private volatile @Nullable RedisLockTemplate template;

		private volatile boolean started;

		private void begun(RedisLockTemplate template) {
			this.template = template;
			if (this.started) { // created lazily
				template.awaitConnected();
			}
		}

		@Override
		public void afterSingletonsInstantiated() {
			this.started = true;
			RedisLockTemplate template = this.template;
			if (template != null) {
				template.awaitConnected();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("io.lettuce.core.RedisClient")
	static class WithoutLettuce {

		@Bean
		@ConditionalOnMissingBean(LockOperations.class)
		LockOperations redisLockTemplate() {
			throw new LockSetupException(
					RedisFeature.LOCKS.needs() + " Lettuce as the Redis client, which is not on the class path.",
					"Add io.lettuce:lettuce-core, or " + RedisFeature.LOCKS.alternative() + ".");
		}

	}

	/**
	 * Describes the store in Redis.
	 */
	static final class Backend implements LockBackend.Provider {

		@Override
		public LockBackend get() {
			return new LockBackend(LockBackend.REDIS, "in Redis", "Spring Data Redis",
					"org.springframework.data.redis.connection.RedisConnectionFactory",
					"org.springframework.boot:spring-boot-starter-data-redis", null,
					(binder) -> binder.bindOrCreate("lock.redis", LockProperties.Redis.class).commandTimeout(),
					Map.of(), null);
		}

	}

	static class OnRedlock extends OnPropertyListCondition {

		OnRedlock() {
			super("lock.redis.redlock.nodes", () -> ConditionMessage.forCondition("Redlock"));
		}

	}

}
