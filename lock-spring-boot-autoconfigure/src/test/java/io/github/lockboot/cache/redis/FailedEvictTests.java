package io.github.lockboot.cache.redis;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.redis.CacheFixture.PATIENT;
import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Evicts and puts that Redis does not take, while it still answers to reads.
 */
@RedisTest
@Timeout(60)
class FailedEvictTests {

	private final CacheFixture fixture;

	private final RedisCacheTemplate cache;

	private final RedisCacheTemplate other;

	private final AtomicInteger loads = new AtomicInteger();

	private volatile boolean failing = true;

	FailedEvictTests(RedisServer redis) {
		this.fixture = new CacheFixture(redis);
		this.cache = this.fixture.template(PATIENT, this::failing);
		this.other = this.fixture.template();
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void theJvmThatHasEvictedDoesNotServeTheEntry() {
		this.cache.get(PRODUCT, 42, this::load);
		this.cache.evict("product", 42);
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
		assertThat(this.other.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
	}

	@Test
	void otherKeysAreServed() {
		this.cache.get(PRODUCT, 43, this::load);
		this.cache.evict("product", 42);
		assertThat(this.cache.get(PRODUCT, 43, this::load)).isEqualTo("value 1");
	}

	@Test
	void theEvictIsTriedUntilItSucceeds() {
		this.cache.get(PRODUCT, 42, this::load);
		this.cache.evict("product", 42);
		this.failing = false;
		Awaitility.await().untilAsserted(() -> assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull());
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.count(CacheEvent.EVICTED)).isEqualTo(1));
		String loaded = this.cache.get(PRODUCT, 42, this::load);
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo(loaded);
	}

	@Test
	void aPutThatFailedIsAnEvict() {
		this.cache.get(PRODUCT, 42, this::load);
		this.cache.put(PRODUCT, 42, "put");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
		this.failing = false;
		Awaitility.await().untilAsserted(() -> assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull());
	}

	@Test
	void aClearThatFailedConcernsAllKeys() {
		this.cache.get(PRODUCT, 42, this::load);
		this.cache.clear("product");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
		this.failing = false;
		Awaitility.await().untilAsserted(() -> assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull());
	}

	@Test
	void anEvictThatFailsWhileAnEarlierOneSucceedsIsTriedAgain() {
		HeldReplyStore held = new HeldReplyStore();
		this.failing = false;
		RedisCacheTemplate slow = this.fixture.template(PATIENT, (store) -> failing(held.around(store, "evict")));
		slow.get(PRODUCT, 42, this::load);
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
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull());
	}

	private CacheStore failing(CacheStore store) {
		return (CacheStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { CacheStore.class },
				(proxy, called, arguments) -> (this.failing && called.getName().matches("evict|put|clear"))
						? CompletableFuture.failedFuture(new IllegalStateException("refused"))
						: called.invoke(store, arguments));
	}

	private String load() {
		return "value " + this.loads.incrementAndGet();
	}

}
