package io.github.lockboot.cache.autoconfigure;

import java.util.List;
import java.util.function.UnaryOperator;

import io.lettuce.core.RedisClient;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.ConfigurableTransactionManager;

import io.github.lockboot.autoconfigure.ApplicationTasks;
import io.github.lockboot.autoconfigure.LettuceConnectionFactorySelector;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.RedisFeature;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.redis.CacheThreads;
import io.github.lockboot.cache.redis.RedisCacheSettings;
import io.github.lockboot.cache.redis.RedisCacheTemplate;
import io.github.lockboot.cache.redis.SpringTransactions;
import io.github.lockboot.cache.redis.Transactions;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the cache in Redis. Nothing is
 * made before it is used; annotated methods let the connection be made at the start, in
 * the background.
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
			CacheProperties cache, CacheSerializers serializers, ObjectProvider<ValueCodec> codecs,
			ObjectProvider<Transactions> transactions, ObjectProvider<CacheListener> listeners,
			ObjectProvider<TaskDecorator> decorators, Environment environment) {
		RedisCacheSettings settings = new RedisCacheSettings(cache.getKeyPrefix(), cache.getCommandTimeout(),
				cache.getPause(), cache.getSnapshotWindow(), environment.getProperty("spring.application.name"));
		ConnectionSettings application = new LettuceConnectionFactorySelector(beanFactory, RedisFeature.CACHE)
			.select(locks.getRedis().getConnectionFactory());
		try {
			return new RedisCacheTemplate(application, settings,
					(name) -> serializers.add(CacheOption.settings(cache, name), name), serializers.general(codecs),
					transactions.getIfAvailable(() -> Transactions.NONE), listeners.orderedStream().toList(),
					new CacheThreads(new ApplicationTasks(beanFactory), decoration(decorators)));
		}
		catch (IllegalArgumentException ex) {
			throw LockSetupException.serverIsNotSupported(RedisFeature.CACHE, ex);
		}
	}

	@Bean
	CacheSerializers lockbootCacheSerializers(ListableBeanFactory beanFactory, CacheProperties properties) {
		return new CacheSerializers(beanFactory, properties);
	}

	/** What the application wraps all its tasks in, to take a caller's context along. */
	private static UnaryOperator<Runnable> decoration(ObjectProvider<TaskDecorator> decorators) {
		List<TaskDecorator> ordered = decorators.orderedStream().toList();
		return (task) -> {
			Runnable decorated = task;
			for (TaskDecorator decorator : ordered) {
				decorated = decorator.decorate(decorated);
			}
			return decorated;
		};
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConfigurableTransactionManager.class)
	static class WithTransactions {

		@Bean
		@Lazy
		Transactions lockbootCacheTransactions(ObjectProvider<ConfigurableTransactionManager> managers) {
			SpringTransactions transactions = new SpringTransactions();
			managers.stream().forEach(transactions::observe);
			return transactions;
		}

	}

}
