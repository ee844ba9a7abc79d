package io.github.lockboot.cache.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;

/**
 * Starts applications with annotated methods.
 */
final class CachedApplication {

	private CachedApplication() {
	}

	/** A busy machine must not trip the breaker. */
	static ApplicationContextRunner on(RedisServer redis) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class,
					CacheAnnotationsAutoConfiguration.class, RedisCacheAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.url=" + redis.uri(), "lock.cache.command-timeout=30s");
	}

	static ApplicationContextRunner withDatabase(RedisServer redis) {
		return on(redis)
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					JdbcTemplateAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
					TransactionAutoConfiguration.class, AopAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true");
	}

	/** Tell a story of a bean and its cache, which is connected. */
	static <T> void run(ApplicationContextRunner runner, Class<T> type, BiConsumer<T, CacheOperations> story) {
		runner.run((context) -> {
			CacheOperations cache = context.getBean(CacheOperations.class);
			FirstConnection.await(cache);
			story.accept(context.getBean(type), cache);
		});
	}

	/** Tell a story with transactions. */
	static <T> void run(ApplicationContextRunner runner, Class<T> type, Story<T> story) {
		runner.run((context) -> {
			CacheOperations cache = context.getBean(CacheOperations.class);
			FirstConnection.await(cache);
			story.tell(context.getBean(type), cache,
					new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
		});
	}

	/** Run a task in a thread without a transaction. */
	static <T extends @Nullable Object> T elsewhere(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, NewThreadExecutor::run).orTimeout(30, TimeUnit.SECONDS).join();
	}

	/** What happens in an application. */
	interface Story<T> {

		void tell(T bean, CacheOperations cache, TransactionTemplate transactions);

	}

}
