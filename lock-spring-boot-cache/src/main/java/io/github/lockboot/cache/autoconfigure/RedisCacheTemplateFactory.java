package io.github.lockboot.cache.autoconfigure;

import java.util.List;
import java.util.function.UnaryOperator;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.ClassUtils;

import io.github.lockboot.autoconfigure.ApplicationTasks;
import io.github.lockboot.autoconfigure.LettuceConnectionFactorySelector;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.redis.CacheThreads;
import io.github.lockboot.cache.redis.RedisCacheSettings;
import io.github.lockboot.cache.redis.RedisCacheTemplate;
import io.github.lockboot.cache.redis.SpringTransactions;
import io.github.lockboot.cache.redis.Transactions;

/**
 * Creates the template of an application. This is a separate class so that an application
 * without a cache does not load the referenced classes.
 */
final class RedisCacheTemplateFactory {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.ConfigurableTransactionManager",
			RedisCacheTemplateFactory.class.getClassLoader());

	private RedisCacheTemplateFactory() {
	}

	static RedisCacheTemplate create(ListableBeanFactory beanFactory, LockProperties locks, CacheProperties cache,
			Environment environment) {
		RedisCacheSettings settings = new RedisCacheSettings(cache.keyPrefix(), cache.commandTimeout(),
				cache.snapshotWindow(), environment.getProperty("spring.application.name"));
		CacheSerializers serializers = new CacheSerializers(beanFactory, cache.caches());
		return LettuceConnectionFactorySelector.forCache(beanFactory)
			.connect(locks.getRedis().getConnectionFactory(),
					(redis) -> new RedisCacheTemplate(redis, settings,
							(name) -> serializers.add(cache.settings(name), name), serializers.general(),
							TRANSACTIONS ? observedTransactions(beanFactory) : Transactions.NONE,
							beanFactory.getBeanProvider(CacheListener.class).orderedStream().toList(),
							new CacheThreads(new ApplicationTasks(beanFactory), decorator(beanFactory))));
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
