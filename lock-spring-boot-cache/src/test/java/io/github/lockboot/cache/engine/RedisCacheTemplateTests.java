package io.github.lockboot.cache.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.engine.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Reads and changes by one or two templates on a healthy Redis, also asynchronous ones,
 * and their commands. Each second one more command may read the epoch or renew the lease.
 */
class RedisCacheTemplateTests extends WarmCacheTests {

	RedisCacheTemplateTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void aCallerThatWaitsForAnEntryTooLongForAPushReadsIt() {
		CacheTemplate other = this.fixture.template();
		CacheLoader<String, RuntimeException> large = () -> slowLoad() + "x".repeat(10_000);
		assertThat(this.fixture.inThreads(20, (i) -> ((i % 2 == 0) ? this.cache : other).get(PRODUCT, 42, large)))
			.allSatisfy((value) -> assertThat(value).startsWith("value 1x"));
		assertThat(this.fixture.loads).hasValue(1);
	}

	@Test
	void loadsOfDifferentKeysDoNotWaitForEachOther() throws Exception {
		CountDownLatch bothRun = new CountDownLatch(2);
		CacheLoader<String, InterruptedException> meeting = () -> {
			bothRun.countDown();
			return bothRun.await(20, TimeUnit.SECONDS) ? "met" : "alone";
		};
		Future<String> first = this.fixture.async(() -> this.cache.get(PRODUCT, 1, meeting));
		assertThat(this.cache.get(PRODUCT, 2, meeting)).isEqualTo("met");
		assertThat(join(first)).isEqualTo("met");
	}

	@Test
	void aFailureIsSharedAndNothingIsCached() {
		HeldLoad failing = new HeldLoad(null);
		Future<?> first = this.fixture.async(() -> failureOf(failing));
		failing.awaitStart();
		List<Future<Throwable>> others = IntStream.range(0, 10)
			.mapToObj((i) -> this.fixture.async(() -> failureOf(this.fixture::load)))
			.toList();
		Waiters.await(10);
		failing.release();
		assertThat(join(first)).isInstanceOf(IllegalStateException.class);
		assertThat(others).allSatisfy((other) -> assertThat(join(other)).isSameAs(join(first)));
		assertThat(this.fixture.count(CacheEvent.SHARED)).isEqualTo(10);
		assertThat(this.fixture.loads).hasValue(0);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void aCheckedExceptionIsThrownUnchanged() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.cache.get(PRODUCT, 42, () -> {
			throw new IOException("no");
		})).withMessage("no");
	}

	@Test
	void aPutDuringALoadWins() {
		CacheTemplate other = this.fixture.template();
		try (HeldLoad old = this.fixture.start(this.cache, PRODUCT, 42, "old")) {
			other.put(PRODUCT, 42, "put");
			assertThat(old.end()).isEqualTo("old");
			assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("put");
		}
	}

	@Test
	void anOldLoadThatEndsLastIsNotStored() {
		try (HeldLoad old = this.fixture.start(this.cache, PRODUCT, 42, "old")) {
			this.cache.evict("product", 42);
			assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
			assertThat(old.end()).isEqualTo("old");
		}
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
	}

	@Test
	void aClearTouchesOneKeyAndAllEntriesAreGone() {
		for (int i = 0; i < 100; i++) {
			this.cache.get(PRODUCT, i, this.fixture::load);
		}
		long calls = this.redis.commandsDuring(() -> this.cache.clear("product")).total();
		assertThat(calls).isLessThan(10);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void anEvictOfAJvmThatMissedAClearIsEffective() {
		CacheTemplate other = this.fixture.template();
		other.get(PRODUCT, 42, this.fixture::load);
		// this one has no message
		String epoch = String.valueOf(this.redis.command("GET", "cache:product:epoch"));
		this.redis.command("SET", "cache:product:epoch", String.valueOf(Long.parseLong(epoch) + 1_000_000));
		CacheTemplate fresh = this.fixture.template();
		fresh.get(PRODUCT, 42, this.fixture::load);
		other.evict("product", 42);
		assertThat(fresh.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void anEvictReachesOtherJvmsAfterRedisHasLostItsData() {
		CacheTemplate other = this.fixture.timeless();
		other.get(PRODUCT, 42, () -> "before");
		this.redis.flushAll();
		other.get(PRODUCT, 42, () -> "after");
		this.cache.evict("product", 42);
		awaitEvicted(other);
	}

	@Test
	void aMissedEpochIsRequestedOnceTheSubscriptionIsBack() {
		CacheTemplate other = this.fixture.timeless();
		other.get(PRODUCT, 42, () -> "old");
		this.redis.command("INCR", "cache:product:epoch");
		this.redis.command("CLIENT", "KILL", "TYPE", "pubsub");
		awaitEvicted(other);
	}

	/** Its folder survives a kill, and only {@code SAVE} writes a file there. */
	@Test
	void clearedEntriesAreBackUntilAJvmAsksThatKnowsTheLaterEpoch() {
		RedisOptions withFolder = new RedisOptions(List.of(), Map.of(), null, true, false, null);
		try (RedisServer restored = RedisFixture.newServer(withFolder);
				CacheFixture jvms = new CacheFixture(restored)) {
			CacheTemplate before = jvms.warmTemplate();
			before.put(PRODUCT, 42, "old");
			restored.command("SAVE");
			before.clear("product");
			restored.kill();
			restored.start();
			CacheTemplate after = jvms.warmTemplate();
			assertThat(after.getIfPresent(PRODUCT, 42)).hasToString("CachedValue[value=old]");
			Awaitility.await().untilAsserted(() -> {
				assertThat(before.getIfPresent(PRODUCT, 42)).isNull();
				assertThat(after.getIfPresent(PRODUCT, 42)).isNull();
			});
		}
	}

	@Test
	void aCopyFromBeforeASuspensionOfTheMachineIsNotServed() {
		CacheSpec<String> local = PRODUCT.with((settings) -> settings.withLocalTtl(Duration.ofHours(1)));
		AtomicLong asleepMillis = new AtomicLong();
		CacheTemplate suspended = this.fixture
			.template(new SystemClock("cache-timer", () -> System.currentTimeMillis() + asleepMillis.get()));
		this.fixture.awaitCopy(suspended, local, 42, "old");
		this.redis.command("DEL", this.fixture.entryKey(42)); // as at the end of its time
		asleepMillis.set(600_000);
		Awaitility.await().until(() -> suspended.get(local, 42, () -> "new").equals("new"));
	}

	@Test
	void aGraceForAllEntriesIsRejectedWithTheSolution() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> CacheEviction.ofAll("product").withGrace(Duration.ofSeconds(3)))
			.withMessageContaining("evict those by their keys");
	}

	@Test
	void anotherProgramCanEvict() {
		this.cache.get(PRODUCT, 42, this.fixture::load);
		this.redis.command("DEL", this.fixture.entryKey(42), this.fixture.entryKey(42) + ":l");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
	}

	@Test
	void manyCallersShareALoadAndNoThreadWaits() {
		CompletableFuture<String> source = new CompletableFuture<>();
		List<CompletableFuture<String>> callers = IntStream.range(0, 200)
			.mapToObj((i) -> this.cache.getAsync(PRODUCT, 42, () -> {
				this.fixture.loads.incrementAndGet();
				return source;
			}))
			.toList();
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.loads).hasValue(1));
		assertThat(callers).noneMatch(CompletableFuture::isDone);
		assertThat(Waiters.count()).isZero();
		source.complete("shared");
		assertThat(callers).allSatisfy((caller) -> assertThat(join(caller)).isEqualTo("shared"));
		assertThat(this.fixture.loads).hasValue(1);
	}

	@Test
	void aLoaderThatThrowsIsAFailure() {
		IOException failure = new IOException("no");
		assertThat(this.cache.getAsync(PRODUCT, 42, () -> {
			throw failure;
		})).failsWithin(Duration.ofSeconds(30))
			.withThrowableOfType(ExecutionException.class)
			.havingCause()
			.isSameAs(failure);
	}

	@Test
	@SuppressWarnings("NullAway") // a mistake of the loader
	void aLoaderWithoutAStageIsAFailure() {
		assertThat(this.cache.getAsync(PRODUCT, 42, () -> null)).failsWithin(Duration.ofSeconds(30))
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("null instead of a stage");
	}

	@Test
	void anEvictDuringAnAsynchronousLoadWins() {
		CompletableFuture<String> source = new CompletableFuture<>();
		CompletableFuture<String> loading = startOf(source);
		this.cache.evict("product", 42);
		source.complete("old");
		assertThat(join(loading)).isEqualTo("old");
		assertThat(join(this.cache.getAsync(PRODUCT, 42, this::loadLater))).isEqualTo("value 2");
		assertThat(this.fixture.count(CacheEvent.REFUSED)).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLoaderThatReadsItsOwnEntryOnItsThreadLoadsDirectly(boolean asynchronous) {
		CacheSpec<String> patient = PRODUCT.with((settings) -> settings.withWaitTimeout(Duration.ofMinutes(5)));
		Supplier<CompletableFuture<String>> loader = () -> this.cache.getAsync(patient, 42, this::loadLater)
			.thenApply((inner) -> "outer " + inner);
		assertThat(asynchronous ? join(this.cache.getAsync(patient, 42, loader::get))
				: this.cache.get(patient, 42, () -> join(loader.get())))
			.isEqualTo("outer value 1");
	}

	@Test
	void cancellationOfAFutureEndsNoLoad() {
		CompletableFuture<String> source = new CompletableFuture<>();
		CompletableFuture<String> first = startOf(source);
		CompletableFuture<String> second = this.cache.getAsync(PRODUCT, 42, this::loadLater);
		first.cancel(true);
		source.complete("value");
		assertThat(join(second)).isEqualTo("value");
	}

	@Test
	void costsAreAsPromised() {
		this.cache.get(PRODUCT, 1, this.fixture::load);
		// the epoch may be read as well, once a second
		Awaitility.await().pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
			int key = this.fixture.loads.get() + 1000;
			CommandCounts miss = this.redis.commandsDuring(() -> this.cache.get(PRODUCT, key, this.fixture::load));
			CommandCounts hit = this.redis.commandsDuring(() -> this.cache.get(PRODUCT, key, this.fixture::load));
			CommandCounts evict = this.redis.commandsDuring(() -> this.cache.evict("product", key));
			// the two scripts of a miss read three keys, and the entries of other shapes
			assertThat(List.of(miss.of("evalsha"), miss.of("get"), miss.of("publish"))).containsExactly(2L, 1 + 4L, 0L);
			assertThat(hit.calls()).isEqualTo(Map.of("get", 1L));
			CommandCounts put = this.redis.commandsDuring(() -> this.cache.putIfNewer(PRODUCT, key, "one", 1));
			// the second one, sent at the same time, reads the epoch
			assertThat(List.of(evict.of("evalsha"), put.of("evalsha"))).containsExactly(2L, 2L);
		});
	}

	@Test
	void joinersOfTheSameJvmSendNothing() {
		try (HeldLoad held = this.fixture.start(this.cache, PRODUCT, 42, "value")) {
			List<Future<String>> joiners = new ArrayList<>();
			CommandCounts costs = this.redis.commandsDuring(() -> {
				joiners.addAll(callers(this.cache, 100));
				Waiters.await(100);
			});
			// the script of a renewal reads a key, and so does that of an epoch
			assertThat(costs.of("get")).isEqualTo(costs.of("evalsha"));
			assertThat(costs.of("evalsha")).isLessThan(100);
			assertThat(held.end()).isEqualTo("value");
			assertThat(joiners).allSatisfy((joiner) -> assertThat(join(joiner)).isEqualTo("value"));
		}
	}

	@Test
	void callersOfAnotherJvmSendOneReadAndOneWaitTogether() {
		CacheTemplate other = this.fixture.warmTemplate();
		other.put(PRODUCT, 1, "warm");
		try (HeldLoad held = this.fixture.start(this.cache, PRODUCT, 42, "value")) {
			List<Future<String>> callers = new ArrayList<>();
			CommandCounts costs = this.redis.commandsDuring(() -> {
				callers.addAll(callers(other, 100));
				Waiters.await(100);
				held.release();
				callers.forEach(CacheFixture::join);
			});
			assertThat(held.end()).isEqualTo("value");
			// callers that arrived while a command was pending need exactly one more
			assertThat(costs.of("sadd")).isBetween(1L, 3L);
			assertThat(costs.of("evalsha")).isLessThan(50);
		}
	}

	@Test
	void anEvictOfManyKeysRequestsTheEpochOnce() {
		Object[] keys = IntStream.range(0, 100).boxed().toArray();
		CommandCounts costs = this.redis.commandsDuring(() -> this.cache.evict(CacheEviction.of("product", keys)));
		// another read of the epoch may be in between
		assertThat(costs.of("evalsha")).isBetween(101L, 102L);
	}

	private String slowLoad() {
		String value = this.fixture.load();
		long start = System.nanoTime();
		Awaitility.await().until(() -> System.nanoTime() - start > 300_000_000L);
		return value;
	}

	private Throwable failureOf(CacheLoader<String, RuntimeException> loader) {
		try {
			return new AssertionError("No failure but " + this.cache.get(PRODUCT, 42, loader));
		}
		catch (IllegalStateException ex) {
			return ex;
		}
	}

	private List<Future<String>> callers(CacheTemplate template, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> this.fixture.async(() -> template.get(PRODUCT, 42, () -> "other")))
			.toList();
	}

	private CompletableFuture<String> startOf(CompletableFuture<String> source) {
		CompletableFuture<String> loading = this.cache.getAsync(PRODUCT, 42, () -> {
			this.fixture.loads.incrementAndGet();
			return source;
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.loads).hasValue(1));
		return loading;
	}

	private CompletableFuture<String> loadLater() {
		return CompletableFuture.completedFuture(this.fixture.load());
	}

	private static void awaitEvicted(CacheTemplate other) {
		Awaitility.await().untilAsserted(() -> assertThat(other.getIfPresent(PRODUCT, 42)).isNull());
	}

}
