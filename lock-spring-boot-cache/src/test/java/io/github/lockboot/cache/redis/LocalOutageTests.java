package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisReplyException;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Copies in the JVM that are served while Redis is unavailable, if configured.
 */
@Timeout(60)
class LocalOutageTests {

	private static final RedisCacheSettings SETTINGS = RedisCacheSettings.defaults();

	private static final CacheSpec<String> PRODUCT = CacheFixture.PRODUCT
		.with((settings) -> settings.withLocalTtl(Duration.ofMillis(50)).withLocalOutageTtl(Duration.ofHours(1)));

	private final RedisServer redis = RedisFixture.newServer(RedisOptions.defaults().withPersistence());

	private final CacheFixture fixture = new CacheFixture(this.redis);

	@AfterEach
	void close() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void aCopyIsServedWhileRedisIsDead() {
		RedisCacheTemplate cache = withCopy();
		this.redis.kill();
		Awaitility.await().until(() -> {
			assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("old");
			return this.fixture.count(CacheEvent.OUTAGE_HIT) > 10;
		});
		assertThat(this.fixture.loads).hasValue(0);
	}

	/** It replies to each command, but only by an error. */
	@Test
	void aCopyIsServedWhileRedisRunsALongScriptOfAnother() {
		RedisCacheTemplate cache = withCopy();
		this.redis.command("CONFIG", "SET", "lua-time-limit", "10");
		Future<Object> script = this.fixture.async(() -> this.redis.command("EVAL", "while true do end", "0"));
		Awaitility.await().until(this::isBusy);
		Awaitility.await().until(() -> {
			assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("old");
			return this.fixture.count(CacheEvent.OUTAGE_HIT) > 10;
		});
		this.redis.command("SCRIPT", "KILL");
		assertThat(script).failsWithin(Duration.ofSeconds(20));
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void aCopyIsServedIfCallersWouldFail() {
		RedisCacheTemplate cache = withCopy();
		this.redis.kill();
		CacheSpec<String> strict = PRODUCT.with((settings) -> settings.withOnRedisError(OnRedisError.FAIL));
		assertThat(cache.get(strict, 42, this.fixture::load)).isEqualTo("old");
	}

	@Test
	void aCopyIsServedToAsynchronousCallersToBatchesAndWithoutALoader() {
		RedisCacheTemplate cache = withCopy();
		this.redis.kill();
		assertThat(cache.getAsync(PRODUCT, 42, () -> CompletableFuture.completedFuture(this.fixture.load()))
			.orTimeout(20, TimeUnit.SECONDS)
			.join()).isEqualTo("old");
		assertThat(cache.getAll(PRODUCT, List.of(42, 43), (keys) -> Map.of(43, "loaded")))
			.containsExactly(Map.entry(42, "old"), Map.entry(43, "loaded"));
		assertThat(cache.getIfPresent(PRODUCT, 42)).hasToString("CachedValue[value=old]");
	}

	@Test
	void anEntryThatThisJvmEvictsMeanwhileIsNotServed() {
		RedisCacheTemplate cache = withCopy();
		this.redis.kill();
		cache.evict("product", 42);
		assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void anEntryOfACacheThatThisJvmClearsMeanwhileIsNotServed() {
		RedisCacheTemplate cache = withCopy();
		this.redis.kill();
		cache.clear("product");
		assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
	}

	@Test
	void anEntryThatAnotherJvmEvictedBeforeIsNotServed() {
		RedisCacheTemplate cache = withCopy();
		this.fixture.warmTemplate().evict("product", 42);
		this.redis.kill();
		Awaitility.await().until(() -> cache.get(PRODUCT, 42, this.fixture::load).startsWith("value "));
	}

	@Test
	void whenRedisIsBackEntriesAreReadFromItAgain() {
		RedisCacheTemplate cache = withCopy();
		RedisCacheTemplate other = this.fixture.warmTemplate();
		this.redis.kill();
		assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("old");
		this.redis.start();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			other.put(PRODUCT, 42, "new");
			return other.getIfPresent(PRODUCT, 42) != null;
		});
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> "new".equals(cache.get(PRODUCT, 42, this.fixture::load)));
		this.redis.kill();
		assertThat(cache.get(PRODUCT, 42, this.fixture::load)).isNotEqualTo("old");
	}

	@Test
	void theLogNamesTheCachesThatServeCopiesUntilRedisIsBack() {
		RedisCacheTemplate cache = withCopy();
		try (CapturedLog log = new CapturedLog()) {
			this.redis.freeze();
			Awaitility.await().until(() -> {
				cache.get(PRODUCT, 42, this.fixture::load);
				return this.fixture.count(CacheEvent.OUTAGE_HIT) > 10;
			});
			assertThat(log.lines("local-outage-ttl")).containsExactly("WARN Redis fails and is not used for some time;"
					+ " meanwhile these caches serve older copies (lock.cache.local-outage-ttl): [product]");
			this.redis.thaw();
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
				cache.get(PRODUCT, 42, this.fixture::load);
				return !log.lines("Redis answers again").isEmpty();
			});
		}
	}

	private RedisCacheTemplate withCopy() {
		RedisCacheTemplate cache = this.fixture.template(SETTINGS, (store) -> store);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			// not by a put, whose own message may arrive late and drop the copy
			cache.get(PRODUCT, 42, () -> "old");
			cache.get(PRODUCT, 42, () -> "old");
			return this.fixture.count(CacheEvent.LOCAL_HIT) > 0;
		});
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

}
