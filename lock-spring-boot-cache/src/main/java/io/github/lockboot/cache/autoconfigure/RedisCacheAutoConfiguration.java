package io.github.lockboot.cache.autoconfigure;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

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
import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.ConfigurableTransactionManager;

import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.autoconfigure.LettuceConnectionFactorySelector;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.store.RedisFeature;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.redis.CacheThreads;
import io.github.lockboot.cache.redis.RedisCacheSettings;
import io.github.lockboot.cache.redis.RedisCacheTemplate;
import io.github.lockboot.cache.transaction.SpringTransactions;
import io.github.lockboot.cache.transaction.Transactions;

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
		return Template.create(beanFactory, locks, cache, environment);
	}

	/**
	 * Creates the template of an application. This is a separate class so that an
	 * application without a cache does not load the referenced classes.
	 */
	private static final class Template {

		private static final String EXECUTOR = "applicationTaskExecutor";

		static RedisCacheTemplate create(ListableBeanFactory beanFactory, LockProperties locks, CacheProperties cache,
				Environment environment) {
			RedisCacheSettings settings = new RedisCacheSettings(cache.keyPrefix(), cache.commandTimeout(),
					cache.snapshotWindow(), environment.getProperty("spring.application.name"));
			CacheSerializers serializers = new CacheSerializers(beanFactory, cache.caches());
			return new LettuceConnectionFactorySelector(beanFactory, new Feature().get()).connect(
					locks.redis().connectionFactory(),
					(redis) -> new RedisCacheTemplate(redis, settings,
							(name) -> serializers.add(cache.settings(name), name), serializers.general(),
							TransactionOrder.TRANSACTIONS ? observedTransactions(beanFactory) : Transactions.NONE,
							beanFactory.getBeanProvider(CacheListener.class).orderedStream().toList(), new CacheThreads(
									(task) -> applicationExecutor(beanFactory).execute(task), decorator(beanFactory))));
		}

		private static Executor applicationExecutor(ListableBeanFactory beanFactory) {
			return beanFactory.containsBean(EXECUTOR) ? beanFactory.getBean(EXECUTOR, Executor.class)
					: CacheThreads.defaults().asynchronous();
		}

		private static Transactions observedTransactions(ListableBeanFactory beanFactory) {
			SpringTransactions transactions = new SpringTransactions();
			beanFactory.getBeanProvider(ConfigurableTransactionManager.class).stream().forEach(transactions::observe);
			return transactions;
		}

		/** Pass the context of a caller on, as the tasks of the application do. */
		private static UnaryOperator<Runnable> decorator(ListableBeanFactory beanFactory) {
			List<TaskDecorator> decorators = beanFactory.getBeanProvider(TaskDecorator.class).orderedStream().toList();
			return (task) -> {
				Runnable decorated = task;
				for (TaskDecorator decorator : decorators) {
					decorated = decorator.decorate(decorated);
				}
				return decorated;
			};
		}

	}

	/**
	 * Describes the cache to the auto-configuration of the locks.
	 */
	static final class Feature implements RedisFeature.Provider {

		@Override
		public RedisFeature get() {
			return new RedisFeature("lock.cache", CacheProperties.class, CacheOperations.class, "Caches",
					"The cache needs", "set lock.cache.enabled=false to run methods with @RedisCache uncached");
		}

	}

}
