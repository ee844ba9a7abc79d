package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisReplyException;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Results of callers while Redis is down, suspended, or rejects commands, and after its
 * recovery.
 */
@Tag("long")
@Timeout(60)
class RedisCacheOutageTests {

	private static final Duration SETTINGS = Duration.ofMillis(250);

	/** Copies of its entries are served while Redis is unavailable. */
	private static final CacheSpec<String> COPIED = PRODUCT
		.with((settings) -> settings.withLocalTtl(Duration.ofMillis(50)).withLocalOutageTtl(Duration.ofHours(1)));

	private final RedisServer redis = RedisFixture.newServer(RedisOptions.defaults().withPersistence());

	private final CacheFixture fixture = new CacheFixture(this.redis);

	@AfterEach
	void close() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void aLeaseThatArrivesTooLateIsReleased() {
		CacheTemplate cache = this.fixture.hasty();
		CacheSpec<String> spec = PRODUCT.with((settings) -> settings.withLease(Duration.ofMinutes(10)));
		this.redis.command("CLIENT", "PAUSE", "60000", "WRITE");
		assertThat(cache.get(spec, 42, this.fixture::load)).isEqualTo("value 1");
		this.redis.command("CLIENT", "UNPAUSE");
		Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> {
			cache.get(spec, 42, this.fixture::load);
			return cache.getIfPresent(spec, 42) != null;
		});
	}

	@Test
	void aFrozenRedisDelaysThreeCallsAndItsPauseIsReportedOnceAsIsItsEnd() {
		CacheTemplate cache = warm();
		this.fixture.pauses().clear();
		this.redis.freeze();
		long start = System.nanoTime();
		for (int i = 0; i < 50; i++) {
			cache.get(PRODUCT, 42, this.fixture::load);
		}
		// fifty timeouts would take 12.5 seconds; each probe has one more
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
		assertThat(this.fixture.loads).hasValue(51);
		assertThat(this.fixture.pauses()).containsExactly("paused");
		this.redis.thaw();
		awaitHit(cache);
		assertThat(this.fixture.pauses()).startsWith("paused", "resumed");
	}

	@Test
	void theEndOfAnOutageIsDetectedWithoutACall() {
		CacheTemplate cache = warm();
		this.redis.kill();
		awaitPause(cache);
		this.redis.start();
		Awaitility.await().until(() -> this.fixture.pauses().contains("resumed"));
		int before = this.fixture.loads.get();
		cache.get(PRODUCT, 42, this.fixture::load);
		assertThat(this.fixture.loads).hasValue(before);
	}

	@Test
	void callersOfADeadRedisShareTheLoadAfterTheOneThatRuns() {
		CacheTemplate cache = warm();
		this.redis.kill();
		awaitPause(cache);
		HeldLoad held = this.fixture.start(cache, PRODUCT, 42, "first");
		this.fixture.loads.set(0);
		List<Future<String>> later = IntStream.range(0, 20)
			.mapToObj((i) -> this.fixture.async(() -> cache.get(PRODUCT, 42, this.fixture::load)))
			.toList();
		Waiters.await(20);
		assertThat(held.end()).isEqualTo("first");
		assertThat(later).allSatisfy((caller) -> assertThat(CacheFixture.join(caller)).isEqualTo("value 1"));
	}

	@Test
	void withoutRedisSeveralKeysAreLoadedTogetherAStrictCallFailsAndARefreshStoresNothing() {
		CacheTemplate cache = warm();
		this.redis.kill();
		CacheSpec<String> strict = PRODUCT.with((settings) -> settings.withOnRedisError(OnRedisError.FAIL));
		assertThatExceptionOfType(CacheUnavailableException.class)
			.isThrownBy(() -> cache.get(strict, 42, this.fixture::load));
		assertThat(this.fixture.loads).hasValue(1);
		List<List<Integer>> batches = new CopyOnWriteArrayList<>();
		assertThat(cache.getAll(PRODUCT, List.of(1, 2, 3), (keys) -> {
			batches.add(keys);
			return Map.of(1, "a", 2, "b", 3, "c");
		})).containsOnlyKeys(1, 2, 3);
		assertThat(batches).containsExactly(List.of(1, 2, 3));
		assertThat(cache.refresh(PRODUCT, 42, this.fixture::load).orTimeout(20, TimeUnit.SECONDS).join()).isFalse();
	}

	@Test
	void aFailedPutOfAVersionEvictsTheOldValue() {
		CacheTemplate cache = warm();
		this.redis.kill();
		assertThatExceptionOfType(CacheUnavailableException.class)
			.isThrownBy(() -> cache.putIfNewer(PRODUCT, 42, "new", 1));
		this.redis.start();
		assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
	}

	@Test
	void aReadOnlyRedisServesHitsAndLoadsMisses() {
		CacheTemplate cache = warm();
		this.redis.command("CONFIG", "SET", "replica-serve-stale-data", "yes");
		this.redis.command("REPLICAOF", "127.0.0.1", "1");
		for (int i = 0; i < 5; i++) {
			assertThat(cache.get(PRODUCT, 43, this.fixture::load)).startsWith("value ");
		}
		assertThat(this.fixture.loads).hasValue(6);
		// its connection is reopened once a second, in case there is another master
		Awaitility.await().until(() -> cache.get(PRODUCT, 42, this.fixture::load).equals("value 1"));
		this.redis.command("REPLICAOF", "NO", "ONE");
	}

	@Test
	void aFullRedisServesHitsAndLoadsMissesAndEvicts() {
		CacheTemplate cache = warm();
		this.redis.exhaustMemory();
		assertThat(cache.get(PRODUCT, 43, this.fixture::load)).isEqualTo("value 2");
		assertThat(cache.get(PRODUCT, 43, this.fixture::load)).isEqualTo("value 3");
		assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		cache.evict("product", 42);
		assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 4");
	}

	@Test
	void aFullRedisEvictsForAVersionThatIsNotKeptOrThatItRefuses() {
		CacheTemplate cache = warm();
		cache.put(PRODUCT, 43, "old");
		this.redis.exhaustMemory();
		CacheSpec<String> withoutLongOnes = PRODUCT.with((settings) -> settings.withMaxSize(DataSize.ofBytes(100)));
		assertThat(cache.putIfNewer(withoutLongOnes, 43, "x".repeat(200), 7)).isFalse();
		assertThat(cache.getIfPresent(PRODUCT, 43)).isNull();
		assertThat(this.fixture.count(CacheEvent.EVICTION_RETRIED)).isZero();
		assertThatExceptionOfType(CacheUnavailableException.class)
			.isThrownBy(() -> cache.putIfNewer(PRODUCT, 42, "new", 7))
			.withMessageContaining("OOM");
		assertThat(cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void aCallerAfterAnEvictDoesNotShareALoadThatAFullRedisDidNotGuard() {
		CacheTemplate cache = this.fixture.template();
		CacheTemplate other = this.fixture.template();
		cache.put(PRODUCT, 1, "warm");
		other.put(PRODUCT, 1, "warm");
		this.redis.exhaustMemory();
		try (HeldLoad held = this.fixture.start(cache, PRODUCT, 43, "old")) {
			other.evict("product", 43);
			var second = this.fixture.async(() -> cache.get(PRODUCT, 43, () -> "new"));
			Waiters.await(1);
			assertThat(held.end()).isEqualTo("old");
			assertThat(CacheFixture.join(second)).isEqualTo("new");
		}
	}

	/** It replies to each command, but only by an error. */
	@Test
	void aCopyIsServedWhileRedisRunsALongScriptOfAnother() {
		CacheTemplate cache = withCopy();
		this.redis.command("CONFIG", "SET", "lua-time-limit", "10");
		Future<Object> script = this.fixture.async(() -> this.redis.command("EVAL", "while true do end", "0"));
		Awaitility.await().until(this::isBusy);
		awaitOutageHits(cache);
		this.redis.command("SCRIPT", "KILL");
		assertThat(script).failsWithin(Duration.ofSeconds(20));
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void aCopyIsServedToAllKindsOfCallersWhileRedisIsDead() {
		CacheTemplate cache = withCopy();
		this.redis.kill();
		CacheSpec<String> strict = COPIED.with((settings) -> settings.withOnRedisError(OnRedisError.FAIL));
		assertThat(cache.get(strict, 42, this.fixture::load)).isEqualTo("old");
		assertThat(cache.getAsync(COPIED, 42, () -> CompletableFuture.completedFuture(this.fixture.load()))
			.orTimeout(20, TimeUnit.SECONDS)
			.join()).isEqualTo("old");
		assertThat(cache.getAll(COPIED, List.of(42, 43), (keys) -> Map.of(43, "loaded")))
			.containsExactly(Map.entry(42, "old"), Map.entry(43, "loaded"));
		assertThat(cache.getIfPresent(COPIED, 42)).hasToString("CachedValue[value=old]");
		awaitOutageHits(cache);
		assertThat(this.fixture.loads).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anEntryThatThisJvmEvictsOrClearsMeanwhileIsNotServed(boolean clears) {
		CacheTemplate cache = withCopy();
		this.redis.kill();
		cache.evict(clears ? CacheEviction.ofAll("product") : CacheEviction.of("product", 42));
		assertThat(cache.get(COPIED, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(cache.getIfPresent(COPIED, 42)).isNull();
	}

	@Test
	void anEntryThatAnotherJvmEvictedBeforeIsNotServed() {
		CacheTemplate cache = withCopy();
		this.fixture.warmTemplate().evict("product", 42);
		this.redis.kill();
		Awaitility.await().until(() -> cache.get(COPIED, 42, this.fixture::load).startsWith("value "));
	}

	@Test
	void whenRedisIsBackEntriesAreReadFromItAgain() {
		CacheTemplate cache = withCopy();
		CacheTemplate other = this.fixture.warmTemplate();
		this.redis.kill();
		assertThat(cache.get(COPIED, 42, this.fixture::load)).isEqualTo("old");
		this.redis.start();
		Awaitility.await().until(() -> {
			other.put(COPIED, 42, "new");
			return other.getIfPresent(COPIED, 42) != null;
		});
		Awaitility.await().until(() -> "new".equals(cache.get(COPIED, 42, this.fixture::load)));
		this.redis.kill();
		assertThat(cache.get(COPIED, 42, this.fixture::load)).isNotEqualTo("old");
	}

	@Test
	void theLogNamesTheCachesThatServeCopiesUntilRedisIsBack() {
		CacheTemplate cache = withCopy();
		try (CapturedLog log = new CapturedLog()) {
			this.redis.freeze();
			awaitOutageHits(cache);
			assertThat(log.lines("local-outage-ttl")).containsExactly("WARN Redis fails and is not used for some time;"
					+ " meanwhile these caches serve older copies (lock.cache.local-outage-ttl): [product]");
			this.redis.thaw();
			Awaitility.await().until(() -> {
				cache.get(COPIED, 42, this.fixture::load);
				return !log.lines("Redis answers again").isEmpty();
			});
		}
	}

	private CacheTemplate withCopy() {
		CacheTemplate cache = this.fixture.template(SETTINGS);
		// not by a put, whose own message may arrive late and drop the copy
		this.fixture.awaitCopy(cache, COPIED, 42, "old");
		return cache;
	}

	private boolean isBusy() {
		try {
			this.redis.command("PING");
			return false;
		}
		catch (RedisReplyException ex) {
			return true;
		}
	}

	private void awaitPause(CacheTemplate cache) {
		Awaitility.await().until(() -> {
			cache.get(PRODUCT, 42, this.fixture::load);
			return this.fixture.pauses().contains("paused");
		});
	}

	private void awaitOutageHits(CacheTemplate cache) {
		Awaitility.await().until(() -> {
			assertThat(cache.get(COPIED, 42, this.fixture::load)).isEqualTo("old");
			return this.fixture.count(CacheEvent.OUTAGE_HIT) > 10;
		});
	}

	private CacheTemplate warm() {
		CacheTemplate cache = this.fixture.template(SETTINGS);
		Awaitility.await().until(() -> {
			cache.put(PRODUCT, 1, "warm");
			return cache.getIfPresent(PRODUCT, 1) != null;
		});
		this.fixture.loads.set(0);
		cache.evict("product", 42);
		Awaitility.await().until(() -> {
			this.fixture.loads.set(0);
			cache.get(PRODUCT, 42, this.fixture::load);
			return cache.getIfPresent(PRODUCT, 42) != null;
		});
		// even if a slow Redis has stored the value and its reply was late
		this.fixture.loads.set(1);
		return cache;
	}

	private void awaitHit(CacheTemplate cache) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
			int before = this.fixture.loads.get();
			cache.get(PRODUCT, 42, this.fixture::load);
			return this.fixture.loads.get() == before;
		});
	}

}
