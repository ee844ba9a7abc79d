package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM that has just started, with a healthy Redis to which connecting takes long.
 */
@RedisTest
@Timeout(60)
class FirstConnectionTests {

	/** Several time limits of commands. */
	private static final Duration SLOW = Duration.ofSeconds(1);

	private final CacheFixture others;

	private final RedisProxy network;

	private final CacheFixture fixture;

	private final RedisServer redis;

	private final AtomicInteger loads = new AtomicInteger();

	FirstConnectionTests(RedisServer redis) {
		this.redis = redis;
		this.others = new CacheFixture(redis);
		this.network = new RedisProxy(redis);
		String[] address = this.network.address().split(":");
		this.fixture = new CacheFixture(Applications.at(address[0], Integer.parseInt(address[1])));
	}

	@BeforeEach
	void store() {
		this.others.warmTemplate().put(PRODUCT, 42, "stored");
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.network.close();
		this.others.close();
	}

	@Test
	void callersOfANewInstanceWaitForItsConnectionAndLoadNothing() {
		RedisCacheTemplate cache = newInstance();
		this.network.holdRequests();
		List<Future<String>> calls = IntStream.range(0, 50)
			.mapToObj((i) -> this.fixture.async(() -> cache.get(PRODUCT, 42, this::load)))
			.toList();
		awaitWithoutLoads();
		this.network.releaseRequests();
		assertThat(calls).allSatisfy((call) -> assertThat(CacheFixture.join(call)).isEqualTo("stored"));
		assertThat(this.loads).hasValue(0);
		assertThat(this.fixture.pauses()).isEmpty();
	}

	@Test
	void anEvictOfANewInstanceWaitsForItsConnection() {
		RedisCacheTemplate cache = newInstance();
		this.network.holdRequests();
		Future<Boolean> evicting = this.fixture.async(() -> {
			cache.evict("product", 42);
			return true;
		});
		Awaitility.await().during(SLOW).atMost(Duration.ofSeconds(20)).until(() -> !evicting.isDone());
		this.network.releaseRequests();
		assertThat(CacheFixture.join(evicting)).isTrue();
		assertThat(this.others.template().getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void anUnreachableRedisDelaysOnlyOneCall() {
		RedisCacheTemplate cache = newInstance();
		this.network.holdRequests();
		try {
			assertThat(cache.get(PRODUCT, 42, this::load)).isEqualTo("loaded");
			long start = System.nanoTime();
			for (int i = 0; i < 20; i++) {
				cache.get(PRODUCT, 42, this::load);
			}
			// waiting for each would take a hundred seconds
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
		}
		finally {
			this.network.releaseRequests();
		}
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> cache.getIfPresent(PRODUCT, 42) != null);
	}

	@Test
	void aCheckConnectsBeforeTheFirstCall() {
		RedisCacheTemplate cache = newInstance();
		long before = clients();
		cache.check(PRODUCT);
		Awaitility.await().until(() -> clients() > before);
		assertThat(cache.get(PRODUCT, 42, this::load)).isEqualTo("stored");
	}

	@Test
	void aCallAfterTheCloseOfAnInstanceThatNeverConnectedLoads() {
		RedisCacheTemplate cache = newInstance();
		cache.close();
		assertThat(cache.get(PRODUCT, 42, this::load)).isEqualTo("loaded");
	}

	private RedisCacheTemplate newInstance() {
		return this.fixture.template(RedisCacheSettings.defaults(), UnaryOperator.identity());
	}

	private void awaitWithoutLoads() {
		Awaitility.await().during(SLOW).atMost(Duration.ofSeconds(20)).until(() -> this.loads.get() == 0);
	}

	private long clients() {
		return String.valueOf(this.redis.command("CLIENT", "LIST")).lines().count();
	}

	private String load() {
		this.loads.incrementAndGet();
		return "loaded";
	}

}
