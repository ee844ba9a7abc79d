package io.github.lockboot.cache.spring;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.Cache;
import org.springframework.cache.support.NullValue;
import reactor.core.scheduler.NonBlocking;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.redis.CacheThreads;
import io.github.lockboot.cache.redis.RedisCacheSettings;
import io.github.lockboot.cache.redis.RedisCacheTemplate;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.cache.transaction.Transactions.View;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The contract of Spring's cache, in two JVMs.
 */
@RedisTest
@Timeout(60)
class RedisLockCacheManagerTests {

	private final RedisServer redis;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<RedisCacheTemplate> templates = new ArrayList<>();

	private final Cache cache;

	private final Cache other;

	private final AtomicInteger loads = new AtomicInteger();

	RedisLockCacheManagerTests(RedisServer redis) {
		this.redis = redis;
		this.cache = Objects.requireNonNull(manager().getCache("product"));
		this.other = Objects.requireNonNull(manager().getCache("product"));
	}

	private RedisLockCacheManager manager() {
		return manager(Transactions.NONE, Duration.ofSeconds(30));
	}

	private RedisLockCacheManager manager(Transactions transactions, Duration commandTimeout) {
		RedisCacheTemplate template = new RedisCacheTemplate(Applications.of(this.redis),
				new RedisCacheSettings("cache:", commandTimeout, Duration.ofSeconds(30)),
				(name) -> CacheSettings.defaults().withWaitTimeout(Duration.ofSeconds(30)), ValueCodec.json(),
				transactions, List.of(), CacheThreads.defaults());
		this.templates.add(template);
		return new RedisLockCacheManager(template, List.of(CacheSpec.of("product", String.class)), this.threads);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.templates.forEach(RedisCacheTemplate::close);
	}

	@Test
	void callersOfTwoJvmsLoadOnce() throws Exception {
		CountDownLatch all = new CountDownLatch(20);
		List<Future<@Nullable String>> callers = IntStream.range(0, 20).mapToObj((i) -> this.threads.submit(() -> {
			all.countDown();
			return ((i % 2 == 0) ? this.cache : this.other).get(42, () -> {
				all.await(20, TimeUnit.SECONDS);
				return load();
			});
		})).toList();
		for (Future<@Nullable String> caller : callers) {
			assertThat(caller.get(30, TimeUnit.SECONDS)).isEqualTo("value 1");
		}
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void aFailureOrAnAsynchronousValueOfAnotherTypeIsTheCause() {
		CompletableFuture<Long> other = this.cache.retrieve(42, () -> CompletableFuture.completedFuture(7L));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(other::join)
			.withCauseInstanceOf(IllegalArgumentException.class);
		CompletableFuture<String> failed = this.cache.retrieve(42,
				() -> CompletableFuture.failedFuture(new IllegalStateException("no")));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(failed::join)
			.withCauseInstanceOf(IllegalStateException.class);
	}

	@Test
	void aFailureOfTheLoaderIsWrappedAsSpringRequires() {
		Callable<String> failing = () -> {
			throw new IOException("no");
		};
		assertThatExceptionOfType(Cache.ValueRetrievalException.class).isThrownBy(() -> this.cache.get(42, failing))
			.withCauseInstanceOf(IOException.class);
	}

	@Test
	void aMissingEntryIsNull() {
		assertThat(this.cache.get(42)).isNull();
		assertThat(this.cache.get(42, String.class)).isNull();
		assertThat(this.cache.retrieve(42)).succeedsWithin(Duration.ofSeconds(30)).isNull();
	}

	@Test
	void aCachedNullIsWrapped() {
		this.cache.put(42, null);
		assertThat(this.other.get(42)).extracting(Cache.ValueWrapper::get).isNull();
		assertThat(Objects.requireNonNull(this.other.retrieve(42)).join()).isInstanceOf(Cache.ValueWrapper.class);
		this.cache.put(43, NullValue.INSTANCE);
		assertThat(this.other.get(43)).extracting(Cache.ValueWrapper::get).isNull();
	}

	@Test
	void anEvictIsDoneWhenItReturns() {
		this.cache.put(42, "old");
		this.other.evict(42);
		assertThat(this.cache.get(42)).isNull();
		this.cache.put(42, "old");
		this.other.evictIfPresent(42);
		assertThat(this.cache.get(42)).isNull();
	}

	@ParameterizedTest
	@MethodSource
	void theFirstPutIfAbsentTakesEffectInWhateverTransaction(Transactions transactions) {
		Cache first = Objects.requireNonNull(manager(transactions, Duration.ofSeconds(30)).getCache("product"));
		this.other.evict(42);
		assertThat(first.putIfAbsent(42, "first")).isNull();
		assertThat(this.other.putIfAbsent(42, "second")).extracting(Cache.ValueWrapper::get).isEqualTo("first");
		assertThat(first.putIfAbsent(42, "third")).extracting(Cache.ValueWrapper::get).isEqualTo("first");
	}

	static Stream<Transactions> theFirstPutIfAbsentTakesEffectInWhateverTransaction() {
		return Stream
			.of(null, new View(null, true, false), new View(null, false, false), new View(null, false, true),
					new View(System.nanoTime(), false, true))
			.map((view) -> new Transactions() {

				@Override
				public @Nullable View view(String cache, String key) {
					return view;
				}

			});
	}

	@Test
	void aPutIfAbsentReplacesAnEntryThatCannotBeRead() {
		this.cache.put(42, "old");
		this.redis.command("SET", "cache:product:" + this.redis.command("GET", "cache:product:epoch") + ":{product:42}",
				"broken");
		assertThat(this.cache.putIfAbsent(42, "new")).isNull();
		assertThat(this.other.get(42, String.class)).isEqualTo("new");
	}

	@Test
	void aPutIfAbsentThatMayNotBeStoredFails() {
		Cache cache = Objects.requireNonNull(manager(Transactions.NONE, Duration.ofMillis(250)).getCache("product"));
		cache.put(1, "warm");
		this.redis.stop();
		try {
			assertThatExceptionOfType(CacheUnavailableException.class).isThrownBy(() -> cache.putIfAbsent(42, "x"));
		}
		finally {
			// it is that of later tests, too
			this.redis.start();
		}
	}

	@Test
	void changesDoNotBlockAThreadThatMustNot() throws Exception {
		this.cache.put(42, "old");
		this.redis.freeze();
		CompletableFuture<@Nullable Void> changed = CompletableFuture.runAsync(() -> {
			this.cache.put(43, "new");
			this.cache.evict(42);
			this.cache.clear();
			assertThatIllegalStateException().isThrownBy(() -> this.cache.putIfAbsent(42, "x"))
				.withMessageContaining("must not block");
		}, (task) -> new NonBlockingThread(task).start());
		try {
			changed.get(20, TimeUnit.SECONDS);
		}
		finally {
			this.redis.thaw();
		}
		Awaitility.await().until(() -> this.other.get(42) == null);
	}

	private static final class NonBlockingThread extends Thread implements NonBlocking {

		NonBlockingThread(Runnable task) {
			super(task);
		}

	}

	@Test
	void aValueOfAnotherTypeIsAClearError() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.cache.put(42, 7L))
			.withMessageContaining("is for values of java.lang.String")
			.withMessageContaining("java.lang.Long");
		this.cache.put(42, "text");
		assertThatIllegalStateException().isThrownBy(() -> this.cache.get(42, Long.class))
			.withMessageContaining("java.lang.Long");
	}

	@Test
	void twoTypesOfOneCacheAreAnError() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisLockCacheManager(this.templates.get(0),
					List.of(CacheSpec.of("product", String.class), CacheSpec.of("product", Long.class)), this.threads))
			.withMessageContaining("'product' is specified twice");
	}

	private String load() {
		return "value " + this.loads.incrementAndGet();
	}

}
