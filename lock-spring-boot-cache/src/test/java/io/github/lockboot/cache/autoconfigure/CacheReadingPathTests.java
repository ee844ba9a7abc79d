package io.github.lockboot.cache.autoconfigure;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

import io.github.lockboot.autoconfigure.RedisLockAutoConfiguration;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.fixture.MethodTrace;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The number of source files that a call passes, which a newcomer has to open to follow
 * it.
 */
@RedisTest
class CacheReadingPathTests {

	private final ApplicationContextRunner runner;

	CacheReadingPathTests(RedisServer redis) {
		this.runner = CachedApplication.on(redis)
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TransactionAutoConfiguration.class,
					RedisLockAutoConfiguration.class))
			.withBean(Products.class);
	}

	@Test
	void aHitInRedisPassesFewFiles() {
		this.runner.run((context) -> {
			Products products = context.getBean(Products.class);
			assertThat(MethodTrace.filesOf(() -> products.find("4711"))).hasSizeBetween(10, 24);
		});
	}

	@Test
	void aHitOfTheLocalCopyPassesFewFiles() {
		this.runner.withPropertyValues("lock.cache.local-ttl=1m").run((context) -> {
			Products products = context.getBean(Products.class);
			assertThat(MethodTrace.filesOf(() -> products.find("4711"))).hasSizeBetween(10, 20);
		});
	}

	@Test
	void aMissPassesFewFiles() {
		AtomicInteger ids = new AtomicInteger();
		this.runner.run((context) -> {
			Products products = context.getBean(Products.class);
			assertThat(MethodTrace.filesOf(() -> products.find("new" + ids.incrementAndGet()))).hasSizeBetween(10, 31);
		});
	}

	static class Products {

		@RedisCache(name = "products", key = "#id")
		public String find(String id) {
			return "product " + id;
		}

	}

}
