package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each kind of method with each state of the application's executor.
 */
@RedisTest
@Timeout(120)
class CacheThreadRulesTests {

	private static final CacheSpec<String> TEXT = CacheSpec.of("text", String.class);

	private final RedisServer redis;

	private final ApplicationContextRunner runner;

	CacheThreadRulesTests(RedisServer redis) {
		this.redis = redis;
		this.runner = CachedApplication.on(redis).withBean(Shop.class);
	}

	enum State {

		BLOCKED(() -> busy(new LinkedBlockingQueue<>())), FULL(() -> busy(new SynchronousQueue<>())),

		DISCARDING(() -> (task) -> {
		}), RUNNING_ON_ITS_CALLER(() -> Runnable::run), BLOCKING_ITS_CALLER(() -> (task) -> waitForEver()),

		SHUT_DOWN(() -> {
			ThreadPoolExecutor executor = pool(1, new LinkedBlockingQueue<>());
			executor.shutdownNow();
			return executor;
		});

		private final Supplier<Executor> executor;

		State(Supplier<Executor> executor) {
			this.executor = executor;
		}

	}

	private static Executor busy(BlockingQueue<Runnable> queue) {
		ThreadPoolExecutor executor = pool(1, queue);
		executor.execute(CacheThreadRulesTests::waitForEver);
		return executor;
	}

	private static void waitForEver() {
		while (!Thread.currentThread().isInterrupted()) {
			LockSupport.park(CacheThreadRulesTests.class);
		}
	}

	private static ThreadPoolExecutor pool(int threads, BlockingQueue<Runnable> queue) {
		return new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, queue, (task) -> {
			Thread thread = new Thread(task);
			thread.setDaemon(true);
			return thread;
		});
	}

	enum Kind {

		VALUE, OPTIONAL, STAGE, MONO, FLUX, STALE, GET_ALL, EVICT, PUT, EVICT_EARLY, EVICT_MONO;

		CompletableFuture<?> call(Shop shop, CacheOperations cache, int id) {
			return switch (this) {
				case VALUE -> CompletableFuture.completedFuture(shop.value(id));
				case OPTIONAL -> CompletableFuture.completedFuture(shop.optional(id));
				case STAGE -> shop.stage(id);
				case MONO -> shop.mono(id).toFuture();
				case FLUX -> shop.flux(id).collectList().toFuture();
				case STALE -> CompletableFuture.completedFuture(shop.stale(id));
				case GET_ALL ->
					CompletableFuture.completedFuture(cache.getAll(TEXT, List.of(id), (keys) -> Map.of(id, "loaded")));
				case EVICT -> shop.evict(id);
				case PUT -> shop.put(id);
				case EVICT_EARLY -> shop.evictEarly(id);
				case EVICT_MONO -> shop.evictMono(id).toFuture();
			};
		}

	}

	@ParameterizedTest
	@EnumSource
	void aCallEndsOnNoThreadOfRedisOrOfTheTimers(State state) {
		Queue<String> threads = new ConcurrentLinkedQueue<>();
		Map<Kind, CompletableFuture<Void>> calls = new EnumMap<>(Kind.class);
		this.runner.withBean("applicationTaskExecutor", Executor.class, state.executor).run((context) -> {
			Shop shop = context.getBean(Shop.class);
			CacheOperations cache = context.getBean(CacheOperations.class);
			for (Kind kind : Kind.values()) {
				int id = kind.ordinal() * 10 + state.ordinal();
				calls.put(kind, CompletableFuture.runAsync(() -> {
					for (int call = 0; call < 3; call++) {
						kind.call(shop, cache, id)
							.thenRun(() -> threads.add(Thread.currentThread().getName()))
							.orTimeout(60, TimeUnit.SECONDS)
							.join();
					}
				}, NewThreadExecutor::run));
			}
			assertThat(calls).allSatisfy((kind, call) -> assertThat(call).succeedsWithin(Duration.ofSeconds(90)));
			threads.addAll(shop.threads());
		});
		assertThat(threads).isNotEmpty()
			.allSatisfy((thread) -> assertThat(thread).doesNotContain("lettuce", "netty", "cache-timer"));
	}

	@ParameterizedTest
	@EnumSource(names = { "BLOCKED", "FULL" })
	void aHitWaitsForNoThreadOfTheApplication(State state) {
		this.runner.withBean("applicationTaskExecutor", Executor.class, state.executor).run((context) -> {
			context.getBean(CacheOperations.class).put(TEXT, 1, "cached");
			for (int call = 0; call < 20; call++) {
				assertThat(context.getBean(Shop.class).stage(1).get(60, TimeUnit.SECONDS)).isEqualTo("cached");
			}
			assertThat(context.getBean(Shop.class).threads()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersThatWaitOnAllThreadsOfTheExecutorGetTheirValues(boolean cached) {
		ThreadPoolExecutor executor = pool(8, new LinkedBlockingQueue<>());
		this.runner.withBean("applicationTaskExecutor", Executor.class, () -> executor).run((context) -> {
			Shop shop = context.getBean(Shop.class);
			if (cached) {
				IntStream.range(0, 8).forEach((id) -> context.getBean(CacheOperations.class).put(TEXT, id, "cached"));
			}
			List<CompletableFuture<String>> callers = IntStream.range(0, 8)
				.mapToObj((id) -> CompletableFuture.supplyAsync(() -> shop.stage(id).join(), executor))
				.toList();
			for (CompletableFuture<String> caller : callers) {
				assertThat(caller.get(60, TimeUnit.SECONDS)).isEqualTo(cached ? "cached" : "loaded");
			}
		});
		executor.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource(names = { "STAGE", "MONO", "FLUX", "EVICT", "PUT", "EVICT_EARLY", "EVICT_MONO" })
	void anAsynchronousCallDoesNotBlockItsThread(Kind kind) {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			CacheOperations cache = context.getBean(CacheOperations.class);
			kind.call(shop, cache, 1).get(60, TimeUnit.SECONDS);
			CompletableFuture<CompletableFuture<?>> call;
			this.redis.freeze();
			try {
				call = CompletableFuture.supplyAsync(() -> kind.call(shop, cache, 1), Schedulers.parallel()::schedule);
				// far less than a reply may take
				assertThat(call).succeedsWithin(Duration.ofSeconds(20));
			}
			finally {
				this.redis.thaw();
			}
			call.join().get(60, TimeUnit.SECONDS);
		});
	}

	@Test
	void refreshesThatHangDoNotEndTheRefreshesOfOthers() {
		this.runner.withPropertyValues("lock.cache.max-load-time=1s", "lock.cache.lease=1s").run((context) -> {
			Shop shop = context.getBean(Shop.class);
			CacheOperations cache = context.getBean(CacheOperations.class);
			CompletableFuture<String> never = new CompletableFuture<>();
			IntStream.range(0, 4).forEach((id) -> cache.refresh(TEXT, id, never::join));
			assertThat(cache.refresh(TEXT, 5, () -> "fresh").get(60, TimeUnit.SECONDS)).isTrue();
			never.complete("late");
			assertThat(shop.calls()).isZero();
			// no more threads than before
			Awaitility.await().untilAsserted(() -> assertThat(refreshing()).isLessThanOrEqualTo(4));
		});
	}

	private static long refreshing() {
		return Thread.getAllStackTraces().keySet().stream().filter((t) -> t.getName().equals("cache-refresh")).count();
	}

	static class Shop {

		private final AtomicInteger calls = new AtomicInteger();

		private final Queue<String> threads = new ConcurrentLinkedQueue<>();

		int calls() {
			return this.calls.get();
		}

		Queue<String> threads() {
			return this.threads;
		}

		private String load() {
			this.threads.add(Thread.currentThread().getName());
			this.calls.incrementAndGet();
			return "loaded";
		}

		@RedisCache
		public String value(int id) {
			return load();
		}

		@RedisCache
		public Optional<String> optional(int id) {
			return Optional.of(load());
		}

		@RedisCache(name = "text", key = "#id")
		public CompletableFuture<String> stage(int id) {
			return CompletableFuture.completedFuture(load());
		}

		@RedisCache
		public Mono<String> mono(int id) {
			return Mono.fromSupplier(this::load);
		}

		@RedisCache
		public Flux<String> flux(int id) {
			return Flux.defer(() -> Flux.just(load()));
		}

		@RedisCache(ttl = "1ms", staleTtl = "1m")
		public String stale(int id) {
			return load();
		}

		@RedisCacheEvict("text")
		public CompletableFuture<String> evict(int id) {
			return CompletableFuture.completedFuture(load());
		}

		@RedisCacheEvict(name = "text", beforeInvocation = true)
		public CompletableFuture<String> evictEarly(int id) {
			return CompletableFuture.completedFuture(load());
		}

		@RedisCachePut(name = "text", key = "#id")
		public CompletableFuture<String> put(int id) {
			return CompletableFuture.completedFuture(load());
		}

		@RedisCacheEvict("text")
		public Mono<String> evictMono(int id) {
			return Mono.fromSupplier(this::load);
		}

	}

}
