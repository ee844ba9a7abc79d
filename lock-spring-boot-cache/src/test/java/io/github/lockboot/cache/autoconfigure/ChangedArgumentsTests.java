package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.cache.autoconfigure.ChangedArgumentsTests.Shop.Box;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers, or the method itself, change the arguments after the call.
 */
@RedisTest
@Timeout(60)
class ChangedArgumentsTests {

	private static final CacheSpec<String> TEXT = CacheSpec.of("text", String.class);

	/** Each hit starts a refresh. */
	private static final CacheSpec<String> STALE = TEXT
		.with((settings) -> settings.withTtl(Duration.ofMillis(1)).withStaleTtl(Duration.ofMinutes(1)));

	private final ApplicationContextRunner runner;

	ChangedArgumentsTests(RedisServer redis) {
		this.runner = CachedApplication.on(redis).withBean(Shop.class);
	}

	enum Read {

		STAGE((shop, cache, ids) -> shop.stage(ids)), EXPRESSION((shop, cache, ids) -> shop.expression(ids)),

		MONO((shop, cache, ids) -> shop.mono(ids).toFuture()),

		BY_HAND((shop, cache, ids) -> cache.getAsync(TEXT, ids, () -> shop.later(ids))),

		REFRESH_BY_HAND((shop, cache, ids) -> cache.refresh(TEXT, ids, () -> shop.text(ids))),

		REFRESH_OF_STALE((shop, cache, ids) -> {
			cache.put(STALE, ids, "old");
			return CompletableFuture.completedFuture(shop.ahead(ids));
		}),

		REFRESH_OF_SEVERAL((shop, cache, ids) -> {
			cache.put(STALE, ids, "old");
			return CompletableFuture.completedFuture(
					cache.getAll(STALE, List.of(ids), (keys) -> Map.of(keys.get(0), shop.text(keys.get(0)))));
		});

		private final Start start;

		Read(Start start) {
			this.start = start;
		}

		interface Start {

			CompletableFuture<?> with(Shop shop, CacheOperations cache, List<Integer> ids);

		}

	}

	@ParameterizedTest
	@EnumSource
	void anEntryIsNeverTheValueOfAnotherKey(Read read) {
		change(read, false);
	}

	@ParameterizedTest
	@EnumSource
	void aKeyThatChangesWhileItIsCheckedIsAnotherOne(Read read) {
		change(read, true);
	}

	private void change(Read read, boolean duringTheCheck) {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			CacheOperations cache = context.getBean(CacheOperations.class);
			int id = read.ordinal() * 2 + (duringTheCheck ? 100 : 0);
			List<Integer> ids = Mockito.spy(new ArrayList<>(List.of(id)));
			CompletableFuture<?> result = read.start.with(shop, cache, ids);
			get(shop.started());
			ids.set(0, id + 1);
			if (duringTheCheck) {
				Mockito.doThrow(ConcurrentModificationException.class).when(ids).stream();
			}
			shop.gate().complete(null);
			result.handle((value, failure) -> value).get(20, TimeUnit.SECONDS);
			// a load of the same entry waits for the end of the first one
			assertThat(cache.get(TEXT, List.of(id), () -> "loaded")).isIn("loaded", "old");
			assertThat(cache.get(TEXT, List.of(id + 1), () -> "loaded")).isEqualTo("loaded");
		});
	}

	enum Write {

		EVICT_KEYS(Shop::sold), EVICT_LIST(Shop::soldAll), EVICT_EARLY(Shop::soldEarly),

		EVICT_STAGE((shop, ids) -> end(shop, shop.soldLater(ids), ids::clear)),

		EVICT_MONO((shop, ids) -> end(shop, shop.soldReactively(ids).toFuture(), ids::clear)),

		PUT_STAGE((shop, ids) -> {
			Box box = new Box(ids.get(0));
			end(shop, shop.save(box), () -> box.id = ids.get(1));
		}),

		PUT_STAGE_WITHOUT_KEY((shop, ids) -> {
			List<Box> boxes = ids.stream().map(Box::new).toList();
			List<CompletableFuture<String>> saved = boxes.stream().map(shop::save).toList();
			boxes.forEach((box) -> box.id = null);
			shop.gate().complete(null);
			assertThat(saved).allSatisfy((put) -> assertThat(put).failsWithin(Duration.ofSeconds(20)));
		});

		private final BiConsumer<Shop, List<Integer>> make;

		Write(BiConsumer<Shop, List<Integer>> make) {
			this.make = make;
		}

		private static void end(Shop shop, CompletableFuture<?> end, Runnable change) {
			change.run();
			shop.gate().complete(null);
			get(end);
		}

	}

	@ParameterizedTest
	@EnumSource
	void aChangeAffectsTheKeysBeforeAndAfterIt(Write write) {
		this.runner.run((context) -> {
			CacheOperations cache = context.getBean(CacheOperations.class);
			List<Object> keys = List.of(-1, -2, List.of(-1, -2));
			keys.forEach((key) -> cache.put(TEXT, key, "old"));
			write.make.accept(context.getBean(Shop.class), new ArrayList<>(List.of(-1, -2)));
			List<Object> affected = (write == Write.EVICT_LIST) ? keys.subList(2, 3) : keys.subList(0, 2);
			assertThat(affected).allSatisfy((key) -> assertThat(cache.getIfPresent(TEXT, key)).isNull());
		});
	}

	private static void get(CompletableFuture<?> future) {
		future.orTimeout(20, TimeUnit.SECONDS).join();
	}

	static class Shop {

		private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();

		private final CompletableFuture<@Nullable Void> gate = new CompletableFuture<>();

		CompletableFuture<@Nullable Void> started() {
			return this.started;
		}

		CompletableFuture<@Nullable Void> gate() {
			return this.gate;
		}

		String text(List<Integer> ids) {
			this.started.complete(null);
			this.gate.join();
			return "value of " + ids;
		}

		CompletableFuture<String> later(List<Integer> ids) {
			return CompletableFuture.supplyAsync(() -> text(ids), (task) -> new Thread(task).start());
		}

		@RedisCache(name = "text")
		public CompletableFuture<String> stage(List<Integer> ids) {
			return later(ids);
		}

		@RedisCache(name = "text", key = "new java.util.ArrayList(#ids)")
		public CompletableFuture<String> expression(List<Integer> ids) {
			return later(ids);
		}

		@RedisCache(name = "text")
		public Mono<String> mono(List<Integer> ids) {
			return Mono.fromFuture(() -> later(ids));
		}

		@RedisCache(name = "text", ttl = "1ms", staleTtl = "1m")
		public String ahead(List<Integer> ids) {
			return text(ids);
		}

		@RedisCacheEvict(name = "text", keys = "#ids")
		public void sold(List<Integer> ids) {
			ids.clear();
		}

		@RedisCacheEvict(name = "text", key = "#ids")
		public void soldAll(List<Integer> ids) {
			ids.clear();
		}

		@RedisCacheEvict(name = "text", keys = "#ids", beforeInvocation = true)
		public void soldEarly(List<Integer> ids) {
			ids.clear();
		}

		@RedisCacheEvict(name = "text", keys = "#ids")
		public CompletableFuture<Void> soldLater(List<Integer> ids) {
			return this.gate.copy();
		}

		@RedisCacheEvict(name = "text", keys = "#ids")
		public Mono<Void> soldReactively(List<Integer> ids) {
			return Mono.fromFuture(this.gate);
		}

		@RedisCachePut(name = "text", key = "#box.id")
		public CompletableFuture<String> save(Box box) {
			return this.gate.thenApply((none) -> "saved");
		}

		static class Box {

			volatile @Nullable Integer id;

			Box(int id) {
				this.id = id;
			}

			public @Nullable Integer getId() {
				return this.id;
			}

		}

	}

}
