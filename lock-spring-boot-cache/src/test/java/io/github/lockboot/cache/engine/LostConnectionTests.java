package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connections to a healthy Redis that break, as by a proxy or a limit of idle clients,
 * and those of a JVM that has just started, which take long.
 */
@Tag("long")
@RedisTest
@Timeout(60)
class LostConnectionTests {

	private static final int CALLERS = 16;

	/** Several time limits of commands. */
	private static final Duration SLOW = Duration.ofSeconds(1);

	/** To connect again may take a busy machine longer than the default. */
	private static final Duration PATIENT = Duration.ofSeconds(5);

	private final CacheFixture others;

	private final RedisProxy network;

	private final CacheFixture fixture;

	private final RedisServer redis;

	private final CacheTemplate cache;

	private final AtomicInteger loads = new AtomicInteger();

	LostConnectionTests(RedisServer redis) {
		this.redis = redis;
		this.others = new CacheFixture(redis);
		this.network = new RedisProxy(redis);
		this.fixture = new CacheFixture(this.network);
		this.cache = this.fixture.template(PATIENT);
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
		CacheTemplate other = this.others.warmTemplate();
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
		CacheTemplate cache = newInstance();
		this.fixture.awaitCopy(cache, local, 42, "loaded");
		this.network.drop();
		this.others.warmTemplate().put(PRODUCT, 42, "new");
		Awaitility.await().until(() -> "new".equals(cache.get(local, 42, this::load)));
	}

	/** The copy of another entry shows when the subscription is back. */
	@Test
	void aCopyThatWasEvictedAfterItsSubscriptionWasLostSilentlyIsNotServedInALaterOutage() {
		CacheSpec<String> lasting = PRODUCT
			.with((settings) -> settings.withLocalTtl(Duration.ofHours(1)).withLocalOutageTtl(Duration.ofHours(1)));
		CacheTemplate cache = newInstance();
		this.fixture.awaitCopy(cache, lasting, 42, "loaded");
		this.fixture.awaitCopy(cache, lasting, 43, "loaded");
		this.network.drop();
		CacheTemplate other = this.others.warmTemplate();
		other.evict("product", 42);
		other.put(PRODUCT, 43, "new");
		Awaitility.await().until(() -> "new".equals(cache.get(lasting, 43, this::load)));
		this.fixture.awaitCopy(cache, lasting, 43, "loaded");
		this.network.holdRequests();
		assertThat(cache.get(lasting, 42, this::load)).isEqualTo("loaded");
		this.network.releaseRequests();
	}

	@Test
	void callersOfANewInstanceWaitForItsConnectionAndLoadNothing() {
		CacheTemplate cache = newInstance();
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
		CacheTemplate cache = newInstance();
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
		CacheTemplate cache = newInstance();
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
		CacheTemplate cache = newInstance();
		long before = clients();
		cache.check(PRODUCT);
		Awaitility.await().until(() -> clients() > before);
		assertThat(cache.get(PRODUCT, 42, this::load)).isEqualTo("stored");
	}

	@Test
	void aCallAfterTheCloseOfAnInstanceThatNeverConnectedLoads() {
		CacheTemplate cache = newInstance();
		cache.close();
		assertThat(cache.get(PRODUCT, 42, this::load)).isEqualTo("loaded");
	}

	private CacheTemplate newInstance() {
		return this.fixture.template(CacheFixture.BRISK);
	}

	private void awaitWithoutLoads() {
		Awaitility.await().during(SLOW).atMost(Duration.ofSeconds(20)).until(() -> this.loads.get() == 0);
	}

	private long clients() {
		return String.valueOf(this.redis.command("CLIENT", "LIST")).lines().count();
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
