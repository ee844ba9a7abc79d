package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Exceptions for callers of methods whose evicts fail in Redis.
 */
@Timeout(60)
class FailedEvictOfMethodTests {

	private static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

	@AutoClose
	private final RedisServer redis = RedisFixture.newServer(RedisOptions.defaults().withPersistence());

	private final ApplicationContextRunner runner = CachedApplication.withDatabase(this.redis)
		.withPropertyValues("lock.cache.command-timeout=250ms")
		.withBean(Shop.class);

	@Test
	void theCallerReceivesAnExceptionAfterTheMethodHasRun() {
		run((shop, cache, transactions) -> {
			assertThatExceptionOfType(CacheUnavailableException.class).isThrownBy(() -> shop.changeOrFail(1))
				.withMessageContaining("Entries of cache 'product' are not evicted yet")
				.withMessageContaining("retried in the background");
			assertThat(shop.calls()).isEqualTo(1);
			awaitEvicted(cache, 1);
		});
	}

	@Test
	void theCallerOfAStageReceivesTheException() {
		run((shop, cache, transactions) -> {
			CompletableFuture<Void> changed = shop.changeLaterOrFail(1);
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> changed.orTimeout(20, TimeUnit.SECONDS).join())
				.withCauseInstanceOf(CacheUnavailableException.class);
			assertThat(shop.calls()).isEqualTo(1);
		});
	}

	@Test
	void theMethodDoesNotRunIfItsEarlyEvictFails() {
		run((shop, cache, transactions) -> {
			assertThatExceptionOfType(CacheUnavailableException.class).isThrownBy(() -> shop.changeEarlyOrFail(1));
			assertThat(shop.calls()).isEqualTo(0);
			awaitEvicted(cache, 1);
		});
	}

	@Test
	void theCallerOfTheCommitReceivesTheExceptionAndAllOthersAreEvicted() {
		run((shop, cache, transactions) -> {
			assertThatExceptionOfType(CacheUnavailableException.class)
				.isThrownBy(() -> transactions.executeWithoutResult((status) -> {
					shop.changeOrFail(1);
					shop.change(2);
				}));
			assertThat(shop.calls()).isEqualTo(2);
			awaitEvicted(cache, 1);
			awaitEvicted(cache, 2);
		});
	}

	@Test
	void aProgrammaticEvictFailsIfConfigured() {
		run((shop, cache, transactions) -> {
			cache.evict("product", 1);
			assertThatExceptionOfType(CacheUnavailableException.class)
				.isThrownBy(() -> cache.evict(CacheEviction.ofAll("product").orFail()));
		});
	}

	/** Runs with two cached entries while Redis is down. */
	private void run(CachedApplication.Story<Shop> story) {
		CachedApplication.run(this.runner, Shop.class, (shop, cache, transactions) -> {
			Awaitility.await().untilAsserted(() -> {
				cache.put(PRODUCT, 1, "old");
				cache.put(PRODUCT, 2, "old");
				assertThat(cache.getIfPresent(PRODUCT, 1)).isNotNull();
				assertThat(cache.getIfPresent(PRODUCT, 2)).isNotNull();
			});
			this.redis.kill();
			story.tell(shop, cache, transactions);
		});
	}

	/** Checks Redis itself: this JVM does not use the entry before. */
	private void awaitEvicted(CacheOperations cache, int id) {
		if (!this.redis.isRunning()) {
			this.redis.start();
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> "[]"
				.equals(String.valueOf(this.redis.command("KEYS", "cache:product:*:{product:" + id + "}"))));
	}

	static class Shop {

		private final AtomicInteger calls = new AtomicInteger();

		int calls() {
			return this.calls.get();
		}

		@RedisCacheEvict("product")
		public void change(int id) {
			this.calls.incrementAndGet();
		}

		@RedisCacheEvict(name = "product", failOnError = true)
		public void changeOrFail(int id) {
			this.calls.incrementAndGet();
		}

		@RedisCacheEvict(name = "product", failOnError = true)
		public CompletableFuture<Void> changeLaterOrFail(int id) {
			this.calls.incrementAndGet();
			return CompletableFuture.runAsync(() -> {
			});
		}

		@RedisCacheEvict(name = "product", failOnError = true, beforeInvocation = true)
		public void changeEarlyOrFail(int id) {
			this.calls.incrementAndGet();
		}

	}

}
