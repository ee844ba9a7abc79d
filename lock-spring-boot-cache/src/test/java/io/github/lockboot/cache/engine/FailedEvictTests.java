package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.aopalliance.intercept.MethodInvocation;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Evicts and puts that fail in a Redis that still serves reads.
 */
@RedisTest
@Timeout(60)
class FailedEvictTests {

	private final RedisServer redis;

	@AutoClose
	private final CacheFixture fixture;

	private final CacheTemplate cache;

	private final CacheTemplate other;

	/** Keys of failed evicts. */
	private final List<Integer> tried = Collections.synchronizedList(new ArrayList<>());

	private volatile boolean failing = true;

	FailedEvictTests(RedisServer redis) {
		this.redis = redis;
		this.fixture = new CacheFixture(redis);
		this.cache = this.fixture.intercepted(this::failing);
		this.other = this.fixture.template();
	}

	@Test
	void theJvmThatHasEvictedServesOtherEntriesOnly() {
		this.cache.get(PRODUCT, 42, this.fixture::load);
		this.cache.get(PRODUCT, 43, () -> "other");
		this.cache.evict("product", 42);
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
		assertThat(this.other.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.cache.get(PRODUCT, 43, this.fixture::load)).isEqualTo("other");
	}

	@Test
	void theEvictIsRetriedUntilItSucceeds() {
		this.cache.get(PRODUCT, 42, this.fixture::load);
		this.cache.evict("product", 42);
		this.failing = false;
		awaitEvicted();
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.count(CacheEvent.EVICTED)).isEqualTo(1));
		String loaded = this.cache.get(PRODUCT, 42, this.fixture::load);
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo(loaded);
	}

	@Test
	void aRetryThatThrowsIsFollowedByAnother() {
		AtomicBoolean counts = new AtomicBoolean();
		AtomicInteger calls = new AtomicInteger();
		CacheTemplate failing = this.fixture.intercepted((call) -> {
			int evicts = (counts.get() && call.getMethod().getName().equals("evict")) ? calls.incrementAndGet() : 0;
			if (evicts == 2) {
				throw new IllegalStateException("thrown");
			}
			return (evicts == 1) ? CompletableFuture.failedFuture(new IllegalStateException("refused"))
					: call.proceed();
		});
		CacheFixture.warm(failing);
		this.other.put(PRODUCT, 42, "old");
		counts.set(true);
		failing.evict("product", 42);
		awaitEvicted();
	}

	@ParameterizedTest
	@ValueSource(strings = { "put", "clear", "tag" })
	void aFailedPutOrClearIsAnEvict(String change) {
		this.cache.get(PRODUCT.withTags((value) -> List.of("shop:1")), 42, this.fixture::load);
		switch (change) {
			case "put" -> this.cache.put(PRODUCT, 42, "put");
			case "clear" -> this.cache.clear("product");
			default -> this.cache.evict(CacheEviction.ofTags("product", "shop:1"));
		}
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
		this.failing = false;
		awaitEvicted();
	}

	@Test
	void anEvictThatFailsWhileAnEarlierOneSucceedsIsRetried() {
		HeldReplies held = new HeldReplies();
		this.failing = false;
		CacheTemplate slow = this.fixture.intercepted(this::failing, held.to("evict"));
		slow.get(PRODUCT, 42, this.fixture::load);
		Future<Boolean> earlier = this.fixture.async(() -> {
			slow.evict("product", 42);
			return true;
		});
		held.awaitHeld();
		this.failing = true;
		this.other.get(PRODUCT, 42, () -> "old");
		slow.evict("product", 42);
		held.release();
		assertThat(CacheFixture.join(earlier)).isTrue();
		this.failing = false;
		awaitEvicted();
	}

	/**
	 * An entry that is loaded from now on is kept for at most the grace, not for minutes.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "failed evict", "evict", "put" })
	void aGraceOutlivesANewerChange(String change) {
		this.cache.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(20)));
		this.failing = change.startsWith("failed");
		if (change.equals("put")) {
			this.cache.put(PRODUCT, 42, "put");
		}
		else {
			this.cache.evict("product", 42);
		}
		this.failing = false;
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.count(CacheEvent.EVICTED)).isPositive());
		this.other.get(PRODUCT, 42, () -> "old");
		assertThat(this.fixture.remainingMillis(42)).isBetween(1L, 20_000L);
	}

	@Test
	void thousandsOfFailedEvictsAreRetriedAsFastAsRedisAcceptsThem() {
		Object[] keys = IntStream.range(0, 5_000).boxed().toArray();
		this.other.put(PRODUCT, 42, "old");
		this.cache.evict(CacheEviction.of("product", keys));
		this.failing = false;
		// with two hundred a second it would take 25 seconds
		Awaitility.await()
			.atMost(Duration.ofSeconds(15))
			.until(() -> this.fixture.count(CacheEvent.EVICTED) >= keys.length);
		assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void theNewestEvictIsTriedFirst() {
		Object[] keys = IntStream.range(0, 1_200).boxed().toArray();
		this.cache.evict(CacheEviction.of("product", keys));
		this.tried.clear();
		List<Integer> newestFirst = IntStream.range(0, 1_200).mapToObj((i) -> 1_199 - i).toList();
		Awaitility.await().untilAsserted(() -> assertThat(List.copyOf(this.tried)).containsSequence(newestFirst));
	}

	@Test
	void aFailedEvictIsTriedOnceMoreAtTheClose() {
		this.other.put(PRODUCT, 42, "old");
		this.cache.evict("product", 42);
		this.failing = false;
		this.cache.close();
		assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aCloseReportsTheEvictsThatAreLost(CapturedOutput output) {
		this.cache.evict("product", 42);
		this.cache.evict("product", 43);
		this.cache.close();
		assertThat(output).contains("how many of which cache: {product=2}");
	}

	private void awaitEvicted() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull());
	}

	private @Nullable Object failing(MethodInvocation call) throws Throwable {
		if (this.failing && (call.getMethod().getName().matches("evict|put|clear")
				|| (call.getMethod().getName().equals("tags") && call.getArguments()[3] != null))) {
			note(call.getArguments());
			return CompletableFuture.failedFuture(new IllegalStateException("refused"));
		}
		return call.proceed();
	}

	private void note(Object[] arguments) {
		if (arguments[1] instanceof EntryKeys keys) {
			this.tried.add(Integer.valueOf(keys.data().replaceAll(".*:(\\d+)}$", "$1")));
		}
	}

}
