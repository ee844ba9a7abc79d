package io.github.lockboot.cache.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Reads and changes by one or two templates on a healthy Redis.
 */
@Timeout(60)
class RedisCacheTemplateTests extends WarmCacheTests {

	RedisCacheTemplateTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void aKeyPrefixWithABraceIsRefused() {
		RedisCacheSettings settings = RedisCacheSettings.defaults();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisCacheSettings("{x}", settings.commandTimeout(), settings.snapshotWindow()))
			.withMessageContaining("must not contain '{'");
	}

	@Test
	void aCallerThatWaitsForAnEntryTooLongForAPushReadsIt() {
		RedisCacheTemplate other = this.fixture.template();
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
	void aHitDoesNotWaitForALoad() {
		this.cache.get(PRODUCT, 1, this.fixture::load);
		try (HeldLoad held = new HeldLoad("late")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 2, held));
			held.awaitStart();
			assertThat(this.cache.get(PRODUCT, 1, this.fixture::load)).isEqualTo("value 1");
			assertThat(loading.isDone()).isFalse();
		}
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
		RedisCacheTemplate other = this.fixture.template();
		try (HeldLoad old = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, old));
			old.awaitStart();
			other.put(PRODUCT, 42, "put");
			old.release();
			assertThat(join(loading)).isEqualTo("old");
			assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("put");
		}
	}

	@Test
	void anOldLoadThatEndsLastIsNotStored() {
		try (HeldLoad old = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, old));
			old.awaitStart();
			this.cache.evict("product", 42);
			assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
			old.release();
			assertThat(join(loading)).isEqualTo("old");
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
		RedisCacheTemplate other = this.fixture.template();
		other.get(PRODUCT, 42, this.fixture::load);
		// this one has no message
		String epoch = String.valueOf(this.redis.command("GET", "cache:product:epoch"));
		this.redis.command("SET", "cache:product:epoch", String.valueOf(Long.parseLong(epoch) + 1_000_000));
		RedisCacheTemplate fresh = this.fixture.template();
		fresh.get(PRODUCT, 42, this.fixture::load);
		other.evict("product", 42);
		assertThat(fresh.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void anotherProgramCanEvict() {
		this.cache.get(PRODUCT, 42, this.fixture::load);
		this.redis.command("DEL", this.fixture.entryKey(42), this.fixture.entryKey(42) + ":l");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
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

}
