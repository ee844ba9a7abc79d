package io.github.lockboot.cache.redis;

import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.redis.CacheFixture.PATIENT;
import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A result serves only callers that came before the command that produced it was sent:
 * with its reply held back, another JVM evicts, and a later caller must not get it.
 */
@RedisTest
@Timeout(60)
class FlightRuleTests {

	private final CacheFixture fixture;

	private final RedisCacheTemplate other;

	private final HeldReplyStore held = new HeldReplyStore();

	FlightRuleTests(RedisServer redis) {
		this.fixture = new CacheFixture(redis);
		this.other = this.fixture.template();
	}

	@AfterEach
	void close() {
		this.held.release();
		this.fixture.close();
	}

	@Test
	void whoComesAfterAStoreWasSentDoesNotGetItsValue() {
		RedisCacheTemplate cache = template("store");
		Future<String> early = this.fixture.async(() -> cache.get(PRODUCT, 42, () -> "old"));
		assertLaterCallerLoads(cache, early, () -> Waiters.await(1));
	}

	@Test
	void whoComesAfterAReadWasSentDoesNotGetItsEntry() {
		this.other.put(PRODUCT, 42, "old");
		RedisCacheTemplate cache = template("read");
		Future<String> early = this.fixture.async(() -> cache.get(PRODUCT, 42, () -> "unused"));
		// the later one has a read of its own
		assertLaterCallerLoads(cache, early, () -> this.held.awaitHeld(2));
	}

	@Test
	void whoComesAfterAnAcquireWasSentDoesNotGetTheEntryThatItFound() {
		RedisCacheTemplate cache = this.fixture.template(PATIENT,
				(store) -> this.held.around(new MissingOnce().around(store), "acquire"));
		this.other.put(PRODUCT, 42, "old");
		Future<String> early = this.fixture.async(() -> cache.get(PRODUCT, 42, () -> "unused"));
		assertLaterCallerLoads(cache, early, () -> Waiters.await(2));
	}

	private RedisCacheTemplate template(String heldMethod) {
		return this.fixture.template(PATIENT, (store) -> this.held.around(store, heldMethod));
	}

	private void assertLaterCallerLoads(RedisCacheTemplate cache, Future<String> early, Runnable awaitLater) {
		this.held.awaitHeld();
		this.other.evict("product", 42);
		Future<String> later = this.fixture.async(() -> cache.get(PRODUCT, 42, () -> "new"));
		awaitLater.run();
		this.held.release();
		assertThat(join(early)).isEqualTo("old");
		assertThat(join(later)).isEqualTo("new");
	}

}
