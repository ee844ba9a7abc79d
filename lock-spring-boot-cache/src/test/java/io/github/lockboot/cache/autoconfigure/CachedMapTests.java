package io.github.lockboot.cache.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods that return a map of the values of several keys.
 */
@RedisTest
@Timeout(60)
@SuppressWarnings("NullAway") // some calls are wrong
class CachedMapTests {

	private final RedisServer redis;

	private final ApplicationContextRunner runner;

	CachedMapTests(RedisServer redis) {
		this.redis = redis;
		this.runner = CachedApplication.on(redis).withBean(Shop.class).withPropertyValues("lock.cache.jitter=0");
	}

	@Test
	void theMethodIsCalledWithTheMissingKeysAndHitsAreOneCommand() {
		run((shop, cache) -> {
			assertThat(shop.findAll(List.of(1L, 2L))).isEqualTo(Map.of(1L, "product 1", 2L, "product 2"));
			assertThat(shop.findAll(List.of(3L, 2L, 1L))).containsExactly(Map.entry(3L, "product 3"),
					Map.entry(2L, "product 2"), Map.entry(1L, "product 1"));
			assertThat(shop.calls()).containsExactly(List.of(1L, 2L), List.of(3L));
			// the epoch may be read as well, once a second
			Awaitility.await().untilAsserted(() -> {
				CommandCounts hit = this.redis.commandsDuring(() -> shop.findAll(List.of(1L, 2L, 3L)));
				assertThat(hit.calls()).isEqualTo(Map.of("mget", 1L));
			});
		});
	}

	@Test
	void aKeyWithoutAValueIsRememberedAndItsEntryIsThatOfTheOneKey() {
		run((shop, cache) -> {
			assertThat(shop.findAll(List.of(-1L, 1L))).containsOnlyKeys(1L);
			assertThat(shop.findAll(List.of(-1L, 1L))).containsOnlyKeys(1L);
			assertThat(shop.calls()).hasSize(1);
			assertThat(shop.find(1L)).isEqualTo("product 1");
			shop.changeAll(List.of(-1L, 1L));
			assertThat(shop.find(1L)).isEqualTo("found");
			shop.findAll(List.of(-1L, 1L));
			assertThat(shop.calls()).last().isEqualTo(List.of(-1L));
		});
	}

	@Test
	void eachKeyIsLoadedOnceIfTheListsOfTwoInstancesCross() {
		List<Collection<Long>> calls = new CopyOnWriteArrayList<>();
		run((first, cache) -> run((second, other) -> {
			List<CompletableFuture<Map<Long, String>>> callers = IntStream.range(0, 20)
				.mapToObj((i) -> CompletableFuture
					.supplyAsync(
							() -> ((i % 4 < 2) ? first : second)
								.findAll((i % 2 == 0) ? List.of(1L, 2L, 3L, 4L) : List.of(4L, 3L, 2L, 1L, 5L)),
							NewThreadExecutor::run)
					.orTimeout(30, TimeUnit.SECONDS))
				.toList();
			assertThat(callers).allSatisfy((caller) -> assertThat(caller.join()).hasSizeGreaterThan(3));
			calls.addAll(first.calls());
			calls.addAll(second.calls());
		}));
		assertThat(calls.stream().flatMap(Collection::stream)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
	}

	@Test
	void otherExpressionsSeeTheValueOfOneKey() {
		run((shop, cache) -> {
			shop.findSet(Set.of(1L, 2L, 3L, -1L));
			assertThat(shop.findSet(Set.of(1L, 2L, 3L, -1L))).hasSize(3);
			// unless
			assertThat(shop.calls()).last().isEqualTo(Set.of(2L));
			cache.evict(CacheEviction.ofTags("set", "product 3"));
			shop.findSet(Set.of(1L, 3L));
			assertThat(shop.calls()).last().isEqualTo(Set.of(3L));
			// condition
			shop.findSet(Set.of());
			assertThat(shop.calls()).last().isEqualTo(Set.of());
		});
	}

	@Test
	void aStaleValueIsRefreshedByACallWithItsKey() {
		run((shop, cache) -> {
			shop.findStale(List.of(1L, 2L));
			Awaitility.await().untilAsserted(() -> {
				assertThat(shop.findStale(List.of(1L))).hasSize(1);
				assertThat(shop.calls()).hasSizeGreaterThan(1).last().isEqualTo(List.of(1L));
			});
		});
	}

	@Test
	void aNullIsNoKeyAndNoMap() {
		run((shop, cache) -> {
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.findAll(null))
				.withMessageContaining("is null");
			List<Long> withNull = new ArrayList<>(List.of(1L));
			withNull.add(null);
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.findAll(withNull))
				.withMessageContaining("is null");
			assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> shop.findNothing(List.of(1L)))
				.withMessageContaining("findNothing(java.util.List) has returned null instead of a map");
		});
	}

	@Test
	void whatCannotWorkStopsTheStart() {
		String rows = """
				noMap(java.util.List)            | returns a List, but keys needs a Map of the values by their keys: return
				sorted(java.util.List)           | returns a TreeMap, but keys needs a Map
				stage(java.util.List)            | returns a CompletableFuture, but keys needs a Map
				mono(java.util.List)             | returns a Mono, but keys needs a Map
				one(Long)                        | has a parameter of type Long, but keys needs a Collection, a List or a Set
				queue(java.util.Queue)           | has a parameter of type Queue, but keys needs a Collection
				two(java.util.List,long)         | has 2 parameters, but the keys alone determine the entries: let the keys be
				part(java.util.List)             | has the keys '#ids.subList(0, 1)', but they are replaced by the missing ones
				withKey(java.util.List)          | has keys and also key or keyGenerator in @RedisCache: name one of them
				otherKey(java.util.List)         | has keys of type Long, but returns values by Integer, so that none
				misspelt(java.util.List)         | unknown variable '#isd'
				raw(java.util.List)              | Values of type java.lang.Object can't be cached
				""";
		this.runner.withBean(Wrong.class).run((context) -> {
			assertThat(context).getFailure().isInstanceOf(InvalidCacheAnnotationException.class);
			String report = String.valueOf(context.getStartupFailure());
			assertThat(rows.lines().map((row) -> row.split(" +\\| "))).hasSize(12)
				.allSatisfy((row) -> assertThat(report).containsPattern("Wrong\\."
						+ Pattern.quote(row[0]).replace(",", "\\E, ?\\Q") + "\\W.*" + Pattern.quote(row[1])));
		});
	}

	private void run(BiConsumer<Shop, CacheOperations> story) {
		CachedApplication.run(this.runner, Shop.class, story);
	}

	static class Shop {

		private final List<Collection<Long>> calls = new CopyOnWriteArrayList<>();

		/** Not the field, which the proxy does not have. */
		public List<Collection<Long>> calls() {
			return this.calls;
		}

		@RedisCache(name = "bulk", keys = "#ids")
		public Map<Long, String> findAll(Collection<Long> ids) {
			return load(ids);
		}

		@RedisCache(name = "bulk", key = "#id")
		public String find(long id) {
			return "found";
		}

		@RedisCacheEvict(name = "bulk", keys = "#ids")
		public void changeAll(Collection<Long> ids) {
		}

		@RedisCache(name = "set", keys = "#p0", unless = "#result == 'product 2'", tags = "#result",
				condition = "!#ids.isEmpty()", ttl = "#result.length() * 60000")
		public Map<Long, String> findSet(Set<Long> ids) {
			return load(ids);
		}

		@RedisCache(name = "stale", keys = "#ids", ttl = "50ms", staleTtl = "1h")
		public HashMap<Long, String> findStale(List<Long> ids) {
			return new HashMap<>(load(ids));
		}

		@RedisCache(name = "nothing", keys = "#ids")
		public Map<Long, String> findNothing(List<Long> ids) {
			return null;
		}

		private Map<Long, String> load(Collection<Long> ids) {
			this.calls.add(ids);
			return ids.stream().filter((id) -> id > 0).collect(Collectors.toMap((id) -> id, (id) -> "product " + id));
		}

	}

	static class Wrong {

		@RedisCache(keys = "#ids")
		public List<String> noMap(List<Long> ids) {
			return List.of();
		}

		@RedisCache(keys = "#ids")
		public TreeMap<Long, String> sorted(List<Long> ids) {
			return new TreeMap<>();
		}

		@RedisCache(keys = "#ids")
		public CompletableFuture<Map<Long, String>> stage(List<Long> ids) {
			return new CompletableFuture<>();
		}

		@RedisCache(keys = "#ids")
		public Mono<Map<Long, String>> mono(List<Long> ids) {
			return Mono.empty();
		}

		@RedisCache(keys = "#id")
		public Map<Long, String> one(Long id) {
			return Map.of();
		}

		@RedisCache(keys = "#ids")
		public Map<Long, String> queue(Queue<Long> ids) {
			return Map.of();
		}

		@RedisCache(keys = "#ids")
		public Map<Long, String> two(List<Long> ids, long shop) {
			return Map.of();
		}

		@RedisCache(keys = "#ids.subList(0, 1)")
		public Map<Long, String> part(List<Long> ids) {
			return Map.of();
		}

		@RedisCache(keys = "#ids", key = "#ids")
		public Map<Long, String> withKey(List<Long> ids) {
			return Map.of();
		}

		@RedisCache(keys = "#ids")
		public Map<Integer, String> otherKey(List<Long> ids) {
			return Map.of();
		}

		@RedisCache(keys = "#isd")
		public Map<Long, String> misspelt(List<Long> ids) {
			return Map.of();
		}

		@RedisCache(keys = "#ids")
		@SuppressWarnings("rawtypes")
		public Map raw(List<Long> ids) {
			return Map.of();
		}

	}

}
