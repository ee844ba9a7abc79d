package io.github.lockboot.cache.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tags in annotations.
 */
@RedisTest
@Timeout(60)
class CachedTagsTests {

	private static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

	private final ApplicationContextRunner runner;

	CachedTagsTests(RedisServer redis) {
		this.runner = CachedApplication.withDatabase(redis).withBean(Shop.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "shop:1", "colour:red" })
	void theEntriesOfReadsAndPutsAreEvictedByEachOfTheirTags(String tag) {
		run((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			shop.findAsync(2, 1, "red").orTimeout(20, TimeUnit.SECONDS).join();
			shop.replace(3, 1, "red");
			shop.find(4, 2, "blue");
			shop.find(5, 2, null);
			assertThat(present(cache)).isEqualTo("12345");
			shop.change(tag);
			assertThat(present(cache)).isEqualTo("45");
		});
	}

	@Test
	void severalTagsAreEvictedAndThoseOfTheResultToo() {
		run((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			shop.find(2, 2, "blue");
			shop.find(3, 3, "green");
			shop.repaint(1, "blue");
			assertThat(present(cache)).isEqualTo("3");
		});
	}

	@Test
	void inATransactionTheEvictComesAfterTheCommit() {
		run((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			transactions.executeWithoutResult((status) -> {
				shop.change("shop:1");
				assertThat(CompletableFuture.supplyAsync(() -> present(cache), NewThreadExecutor::run).join())
					.isEqualTo("1");
				assertThat(shop.find(1, 1, "of the transaction")).isEqualTo("of the transaction");
			});
			assertThat(present(cache)).isEmpty();
		});
	}

	@Test
	void anEarlyEvictComesBeforeTheMethodToo() {
		run((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			shop.changeEarly("shop:1", () -> {
				assertThat(present(cache)).isEmpty();
				shop.find(1, 1, "old");
			});
			assertThat(present(cache)).isEmpty();
		});
	}

	private static String present(CacheOperations cache) {
		StringBuilder found = new StringBuilder();
		for (int key = 1; key < 6; key++) {
			found.append((cache.getIfPresent(PRODUCT, key) != null) ? key : "");
		}
		return found.toString();
	}

	private void run(Story story) {
		this.runner.run((context) -> {
			CacheOperations cache = context.getBean(CacheOperations.class);
			FirstConnection.await(cache);
			story.tell(context.getBean(Shop.class), cache,
					new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
		});
	}

	/** What happens in the application. */
	private interface Story {

		void tell(Shop shop, CacheOperations cache, TransactionTemplate transactions);

	}

	static class Shop {

		@RedisCache(name = "product", key = "#id",
				tags = "{'shop:' + #shop, #result != null ? 'colour:' + #result : null}")
		public @Nullable String find(int id, int shop, @Nullable String colour) {
			return colour;
		}

		@RedisCache(name = "product", key = "#id", tags = "{'shop:' + #shop, 'colour:' + #result}")
		public CompletableFuture<String> findAsync(int id, int shop, String colour) {
			return CompletableFuture.completedFuture(colour);
		}

		@RedisCachePut(name = "product", key = "#id", tags = "{'shop:' + #shop, 'colour:' + #result}")
		public String replace(int id, int shop, String colour) {
			return colour;
		}

		@RedisCacheEvict(name = "product", tags = "#tag")
		public void change(String tag) {
		}

		@RedisCacheEvict(name = "product", tags = "#tag", beforeInvocation = true)
		public void changeEarly(String tag, Runnable then) {
			then.run();
		}

		@RedisCacheEvict(name = "product", tags = "{'shop:' + #shop, 'colour:' + #result}")
		public String repaint(int shop, String colour) {
			return colour;
		}

	}

}
