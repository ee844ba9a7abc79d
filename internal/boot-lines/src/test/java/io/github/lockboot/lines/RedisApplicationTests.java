package io.github.lockboot.lines;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.cache.CacheManager;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.spring.RedisLockCacheManager;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application with locks and a cache in Redis.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class RedisApplicationTests extends ApplicationContract {

	@Autowired
	ReactiveLockOperations reactiveLocks;

	@Autowired
	CacheOperations cache;

	@Autowired
	CacheManager cacheManager;

	@Autowired
	KotlinOrders kotlinOrders;

	@Autowired
	Products products;

	@Autowired
	@SuppressWarnings("rawtypes") // it has no parameter in Spring Integration 6
	LockRegistry lockRegistry;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.port", () -> RedisFixture.shared().port());
	}

	@Override
	Class<?> template() {
		return RedisLockTemplate.class;
	}

	@Test
	void springBootIsOfThisLine() {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("lockboot.line"));
	}

	@Test
	void aBusyLockIsRefused() {
		try (LockHandle held = this.locks.acquire("order:busy")) {
			assertThat(held.isHeld()).isTrue();
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> CompletableFuture.supplyAsync(() -> this.orders.payAtOnce("busy")).join())
				.withCauseInstanceOf(LockNotAcquiredException.class);
		}
	}

	@Test
	void asynchronousResultsHoldTheLock() throws Exception {
		assertThat(this.orders.payLater("later").get(5, TimeUnit.SECONDS)).isTrue();
		assertThat(this.orders.payReactively("mono").block()).isTrue();
		assertThat(this.orders.payInParts("flux").collectList().block()).containsExactly(true, true);
		assertThat(this.orders.payInBackground("background").get(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void anEmitterHoldsTheLockUntilItIsCompleted() {
		HttpResponse<Stream<String>> events = this.actuator.open("watch");
		assertThat(this.orders.isLocked("watched")).isTrue();
		this.orders.stopWatching();
		assertThat(events.body()).contains("data:watched");
		Awaitility.await().until(() -> !this.orders.isLocked("watched"));
	}

	@Test
	void suspendFunctionsHoldTheLockAndAreCached() {
		assertThat(Blocking.pay(this.kotlinOrders, "kotlin")).isTrue();
		assertThat(Blocking.payInSection(this.kotlinOrders, "kotlin")).isTrue();
		assertThat(this.orders.isLocked("kotlin")).isFalse();
		assertThat(Blocking.find(this.kotlinOrders, "1")).isEqualTo(Blocking.find(this.kotlinOrders, "1"));
	}

	@Test
	void theTemplatesLock() throws Exception {
		assertThat(this.locks.<Boolean, RuntimeException>execute("stock", () -> this.locks.inspect("stock").isHeld()))
			.isTrue();
		assertThat(this.reactiveLocks.execute("stock", Mono.fromCallable(() -> this.locks.inspect("stock").isHeld()))
			.block()).isTrue();
		try (LockHandle lock = this.locks.acquireAsync(LockRequest.of("stock")).toCompletableFuture().get()) {
			assertThat(lock.fencingToken()).isPositive();
		}
	}

	@Test
	void aLeaderOfSpringIntegrationHoldsOurLock() {
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(this.lockRegistry,
				new DefaultCandidate("leader", "election"));
		initiator.start();
		Awaitility.await().until(() -> initiator.getContext().isLeader());
		assertThat(this.locks.inspect("election").isHeld()).isTrue();
		initiator.stop();
	}

	@Test
	void aCachedMethodRunsAgainAfterAnEvict() {
		Products.Product loaded = this.products.find("1");
		this.products.awaitCached(() -> this.products.find("1"), loaded);
		int loads = this.products.loads();
		this.products.change("1");
		assertThat(this.products.find("1")).isEqualTo(loaded);
		assertThat(this.products.loads()).isEqualTo(loads + 1);
	}

	@Test
	void aPublisherIsCached() {
		Products.Product loaded = this.products.findReactively("2").block();
		this.products.awaitCached(() -> this.products.findReactively("2").block(), loaded);
	}

	@Test
	void springsCacheAnnotationsUseTheCache() {
		assertThat(this.cacheManager).isInstanceOf(RedisLockCacheManager.class);
		Products.Product loaded = this.products.findBySpring("3");
		this.products.awaitCached(() -> this.products.findBySpring("3"), loaded);
	}

	@Test
	void valuesAreWrittenByTheJacksonOfTheLine() {
		boolean jackson3 = ClassUtils.isPresent("tools.jackson.databind.ObjectMapper", getClass().getClassLoader());
		assertThat(jackson3).isEqualTo(!System.getProperty("lockboot.line").startsWith("3."));
	}

	@Test
	void theEndpointShowsAndReleasesLocks() {
		try (LockHandle held = this.locks.acquire("endpoint/1")) {
			assertThat(this.actuator.get("locks")).extracting(HttpResponse::statusCode, HttpResponse::body)
				.satisfies((answer) -> assertThat(answer.get(0)).isEqualTo(200),
						(answer) -> assertThat((String) answer.get(1)).contains("\"endpoint/1\""));
			HttpResponse<String> shown = this.actuator.get("locks/endpoint/1?template=redisLockTemplate");
			assertThat(shown.body()).contains("\"fencingToken\":" + held.fencingToken());
			HttpResponse<String> released = this.actuator.delete("locks?name=endpoint/1");
			assertThat(released.body()).contains("\"released\":true");
			assertThat(this.locks.inspect("endpoint/1").isHeld()).isFalse();
		}
	}

	@Test
	void locksAndCacheHaveMeters() {
		this.orders.pay("metered");
		this.products.find("metered");
		List<String> meters = List.of("lock.acquire?tag=name:order", "lock.hold", "lock.wait", "lock.cache.gets",
				"cache.gets");
		assertThat(meters).allSatisfy((meter) -> assertThat(this.actuator.get("metrics/" + meter).body())
			.contains("\"statistic\":\"COUNT\""));
	}

}
