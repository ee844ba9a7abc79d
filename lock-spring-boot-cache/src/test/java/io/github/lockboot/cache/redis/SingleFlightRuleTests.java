package io.github.lockboot.cache.redis;

import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PATIENT;
import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A result serves only callers that joined before the command that produced it was sent:
 * with its reply held back, another JVM evicts, and a later caller must not get it.
 */
@Timeout(60)
class SingleFlightRuleTests extends WarmCacheTests {

	private final HeldReplyStore held = new HeldReplyStore();

	SingleFlightRuleTests(RedisServer redis) {
		super(redis);
	}

	@AfterEach
	void release() {
		this.held.release();
	}

	@Test
	void aCallerAfterAStoreWasSentDoesNotGetItsValue() {
		RedisCacheTemplate slow = template("store");
		Future<String> early = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "old"));
		assertLaterCallerLoads(slow, early, () -> Waiters.await(1));
	}

	@Test
	void aCallerAfterAReadWasSentDoesNotGetItsEntry() {
		this.cache.put(PRODUCT, 42, "old");
		RedisCacheTemplate slow = template("read");
		Future<String> early = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "unused"));
		// the later one shares the next read
		assertLaterCallerLoads(slow, early, () -> Waiters.awaitReplies(2));
	}

	@Test
	void aCallerAfterAnAcquireWasSentDoesNotGetItsEntry() {
		RedisCacheTemplate slow = this.fixture.template(PATIENT,
				(store) -> this.held.around(FirstRead.missing().around(store), "acquire"));
		this.cache.put(PRODUCT, 42, "old");
		Future<String> early = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "unused"));
		assertLaterCallerLoads(slow, early, () -> Waiters.await(2));
	}

	@Test
	void aCallerAfterAnEvictDoesNotShareTheLoadOfACallerWhoseReadTimedOut() {
		RedisCacheTemplate slow = this.fixture.template(PATIENT, FirstRead.timedOut()::around);
		try (HeldLoad load = new HeldLoad("old")) {
			Future<String> early = this.fixture.async(() -> slow.get(PRODUCT, 42, load));
			load.awaitStart();
			this.cache.evict("product", 42);
			Future<String> later = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "new"));
			Waiters.await(1);
			load.release();
			assertThat(join(early)).isEqualTo("old");
			assertThat(join(later)).isEqualTo("new");
		}
	}

	@Test
	void aCallerDuringALoadWithoutRedisFindsTheEntryInRedis() {
		RedisCacheTemplate slow = this.fixture.template(PATIENT, FirstRead.timedOut()::around);
		this.cache.put(PRODUCT, 42, "in Redis");
		try (HeldLoad load = new HeldLoad("past the cache")) {
			this.fixture.async(() -> slow.get(PRODUCT, 42, load));
			load.awaitStart();
			assertThat(slow.get(PRODUCT, 42, () -> "another load")).isEqualTo("in Redis");
		}
	}

	@Test
	void aCallerThatWaitedForALoadWithoutRedisStoresItsOwn() {
		RedisCacheTemplate slow = this.fixture.template(PATIENT, FirstRead.timedOut()::around);
		try (HeldLoad load = new HeldLoad("past the cache")) {
			this.fixture.async(() -> slow.get(PRODUCT, 42, load));
			load.awaitStart();
			Future<String> later = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "stored"));
			Waiters.await(1);
			load.release();
			assertThat(join(later)).isEqualTo("stored");
		}
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isEqualTo(new CachedValue<>("stored"));
	}

	private RedisCacheTemplate template(String heldMethod) {
		return this.fixture.template(PATIENT, (store) -> this.held.around(store, heldMethod));
	}

	private void assertLaterCallerLoads(RedisCacheTemplate slow, Future<String> early, Runnable awaitLater) {
		this.held.awaitHeld();
		this.cache.evict("product", 42);
		Future<String> later = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "new"));
		awaitLater.run();
		this.held.release();
		assertThat(join(early)).isEqualTo("old");
		assertThat(join(later)).isEqualTo("new");
	}

}
