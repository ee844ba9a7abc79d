package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection to a healthy Redis that breaks, as by a proxy or a limit of idle clients.
 */
@RedisTest
@Timeout(60)
class LostConnectionTests {

	private static final int CALLERS = 16;

	/** To connect again may take a busy machine longer than the default. */
	private static final RedisCacheSettings PATIENT = new RedisCacheSettings("cache:", Duration.ofSeconds(5),
			Duration.ofSeconds(30));

	private final CacheFixture others;

	private final RedisProxy network;

	private final CacheFixture fixture;

	private final RedisServer redis;

	private final RedisCacheTemplate cache;

	private final AtomicInteger loads = new AtomicInteger();

	LostConnectionTests(RedisServer redis) {
		this.redis = redis;
		this.others = new CacheFixture(redis);
		this.network = new RedisProxy(redis);
		String[] address = this.network.address().split(":");
		this.fixture = new CacheFixture(Applications.at(address[0], Integer.parseInt(address[1])));
		this.cache = this.fixture.template(PATIENT, UnaryOperator.identity());
	}

	@BeforeEach
	void store() {
		CacheFixture.warm(this.cache).put(PRODUCT, 42, "stored");
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.network.close();
		this.others.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersOfAConnectionThatIsCutOrClosedWaitForTheNextOneAndLoadNothing(boolean cut) {
		readMeanwhile(cut ? this.network::cut : () -> this.redis.command("CLIENT", "KILL", "TYPE", "normal"));
		assertThat(this.loads).hasValue(0);
		assertThat(this.fixture.pauses()).isEmpty();
	}

	@Test
	void anEvictAfterALostConnectionReachesRedisBeforeItReturns() {
		RedisCacheTemplate other = this.others.warmTemplate();
		for (int i = 0; i < 10; i++) {
			this.cache.put(PRODUCT, i, "old");
			this.network.cut();
			this.cache.evict("product", i);
			assertThat(other.getIfPresent(PRODUCT, i)).isNull();
		}
	}

	/** The subscription is idle, so that nothing else would notice. */
	@Test
	void aCopyIsNotServedForLongAfterItsSubscriptionWasLostSilently() {
		CacheSpec<String> local = PRODUCT.with((settings) -> settings.withLocalTtl(Duration.ofHours(1)));
		RedisCacheTemplate cache = this.fixture.template(RedisCacheSettings.defaults(), UnaryOperator.identity());
		awaitCopy(cache, local, 42);
		this.network.drop();
		this.others.warmTemplate().put(PRODUCT, 42, "new");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> "new".equals(cache.get(local, 42, this::load)));
	}

	/** The copy of another entry shows when the subscription is back. */
	@Test
	void aCopyThatWasEvictedAfterItsSubscriptionWasLostSilentlyIsNotServedInALaterOutage() {
		CacheSpec<String> lasting = PRODUCT
			.with((settings) -> settings.withLocalTtl(Duration.ofHours(1)).withLocalOutageTtl(Duration.ofHours(1)));
		RedisCacheTemplate cache = this.fixture.template(RedisCacheSettings.defaults(), UnaryOperator.identity());
		awaitCopy(cache, lasting, 42);
		awaitCopy(cache, lasting, 43);
		this.network.drop();
		RedisCacheTemplate other = this.others.warmTemplate();
		other.evict("product", 42);
		other.put(PRODUCT, 43, "new");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> "new".equals(cache.get(lasting, 43, this::load)));
		awaitCopy(cache, lasting, 43);
		this.network.holdRequests();
		assertThat(cache.get(lasting, 42, this::load)).isEqualTo("loaded");
		this.network.releaseRequests();
	}

	private void awaitCopy(RedisCacheTemplate cache, CacheSpec<String> spec, Object key) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			long before = this.fixture.count(CacheEvent.LOCAL_HIT);
			cache.get(spec, key, this::load);
			return this.fixture.count(CacheEvent.LOCAL_HIT) > before;
		});
	}

	/** Breaks the connection several times while callers read. */
	private void readMeanwhile(Runnable breakConnection) {
		AtomicBoolean over = new AtomicBoolean();
		AtomicLong reads = new AtomicLong();
		List<Future<Boolean>> callers = IntStream.range(0, CALLERS).mapToObj((i) -> this.fixture.async(() -> {
			while (!over.get()) {
				this.cache.get(PRODUCT, 42, this::load);
				reads.incrementAndGet();
			}
			return true;
		})).toList();
		for (int i = 0; i < 5; i++) {
			long before = reads.get();
			Awaitility.await().until(() -> reads.get() > before + 20 * CALLERS);
			breakConnection.run();
		}
		long before = reads.get();
		Awaitility.await().until(() -> reads.get() > before + 20 * CALLERS);
		over.set(true);
		callers.forEach(CacheFixture::join);
	}

	private String load() {
		this.loads.incrementAndGet();
		return "loaded";
	}

}
