package io.github.lockboot.benchmarks.cache;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each kind of cache really caches: otherwise its benchmarks would be worthless.
 */
@RedisTest
@Tag("long")
class CacheKindsTests {

	private final RedisServer redis;

	CacheKindsTests(RedisServer redis) {
		this.redis = redis;
	}

	@ParameterizedTest
	@EnumSource
	void anEntryIsReadWithoutLoadingItAgain(CacheKind kind) {
		AtomicInteger loads = new AtomicInteger();
		try (CachePeer cache = open(kind)) {
			Awaitility.await("not at once: Spring Data Redis does not wait for its writes").until(() -> {
				int before = loads.get();
				cache.get(kind.name(), () -> Product.example("lamp" + loads.incrementAndGet()));
				return loads.get() == before;
			});
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "CAFFEINE", "CAFFEINE_BYTES" })
	void anotherInstanceReadsTheSameEntry(CacheKind kind) {
		String key = kind.name() + "-shared";
		try (CachePeer cache = open(kind); CachePeer other = open(kind)) {
			cache.get(key, () -> Product.example("lamp"));
			Awaitility.await()
				.until(() -> this.redis.command("KEYS", "*product*") instanceof List<?> keys && !keys.isEmpty());
			assertThat(other.get(key, () -> Product.example("chair"))).isEqualTo(Product.example("lamp"));
		}
	}

	private CachePeer open(CacheKind kind) {
		return kind.open(new RedisAddress(this.redis.host(), this.redis.port()));
	}

}
