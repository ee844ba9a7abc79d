package io.github.lockboot.cache.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands of callers that wait for a load. Each second one more command may read the
 * epoch or renew the lease.
 */
@Timeout(60)
class CacheCostTests extends WarmCacheTests {

	CacheCostTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void joinersOfTheSameJvmSendNothing() {
		try (HeldLoad held = new HeldLoad("value")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			List<Future<String>> joiners = new ArrayList<>();
			CommandCounts costs = this.redis.commandsDuring(() -> {
				joiners.addAll(callers(this.cache, 100));
				Waiters.await(100);
			});
			// the script of a renewal reads a key, and so does that of an epoch
			assertThat(costs.of("get")).isEqualTo(costs.of("evalsha"));
			assertThat(costs.of("evalsha")).isLessThan(100);
			held.release();
			assertThat(join(loading)).isEqualTo("value");
			assertThat(joiners).allSatisfy((joiner) -> assertThat(join(joiner)).isEqualTo("value"));
		}
	}

	@Test
	void callersOfAnotherJvmSendOneReadAndOneWaitTogether() {
		RedisCacheTemplate other = this.fixture.warmTemplate();
		other.put(PRODUCT, 1, "warm");
		try (HeldLoad held = new HeldLoad("value")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			List<Future<String>> callers = new ArrayList<>();
			CommandCounts costs = this.redis.commandsDuring(() -> {
				callers.addAll(callers(other, 100));
				Waiters.await(100);
				held.release();
				callers.forEach(CacheFixture::join);
			});
			assertThat(join(loading)).isEqualTo("value");
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

	private List<Future<String>> callers(RedisCacheTemplate template, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> this.fixture.async(() -> template.get(PRODUCT, 42, () -> "other")))
			.toList();
	}

}
