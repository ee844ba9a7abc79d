package io.github.lockboot.cache.autoconfigure;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.jdbc.JdbcLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A cache in Redis, and locks in a database.
 */
@RedisTest
class CacheBesideDatabaseLocksTests {

	private final RedisServer redis;

	CacheBesideDatabaseLocksTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void aCachedMethodLocksInTheDatabaseAndIsCachedInRedis() {
		String id = UUID.randomUUID().toString();
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("lock.backend=jdbc", "spring.datasource.generate-unique-name=true",
					"spring.data.redis.port=" + this.redis.port())
			.run((context) -> {
				assertThat(context.getBean(LockOperations.class)).isInstanceOf(JdbcLockTemplate.class);
				FirstConnection.await(context.getBean(CacheOperations.class));
				Prices prices = context.getBean(Prices.class);
				assertThat(prices.of(id)).isTrue();
				assertThat(prices.of(id)).isTrue();
				assertThat(prices.calls()).isEqualTo(1);
				assertThat(String.valueOf(this.redis.command("KEYS", "*" + id + "*"))).contains("price")
					.doesNotContain("lock:pricing");
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Prices.class)
	static class Application {

	}

	static class Prices {

		private final AtomicInteger calls = new AtomicInteger();

		private final LockOperations locks;

		Prices(LockOperations locks) {
			this.locks = locks;
		}

		@RedisCache(name = "price", key = "#id")
		@DistributedLock(name = "pricing", key = "#id")
		public boolean of(String id) {
			this.calls.incrementAndGet();
			return this.locks.inspect("pricing:" + id).isHeld();
		}

		public int calls() {
			return this.calls.get();
		}

	}

}
