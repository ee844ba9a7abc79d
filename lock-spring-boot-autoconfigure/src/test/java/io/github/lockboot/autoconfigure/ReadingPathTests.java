package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.fixture.MethodTrace;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The number of source files that a call passes, which a newcomer has to open to follow
 * it.
 */
@RedisTest
class ReadingPathTests {

	private final ApplicationContextRunner runner;

	ReadingPathTests(RedisServer redis) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, AopAutoConfiguration.class,
					TransactionAutoConfiguration.class, RedisLockAutoConfiguration.class,
					DistributedLockAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
			.withBean(Orders.class);
	}

	/** Acquires a free lock, calls the method and releases the lock. */
	@Test
	void aCallOfAnAnnotatedMethodPassesFewFiles() {
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(MethodTrace.filesOf(() -> orders.pay("4711"))).hasSizeBetween(10, 35);
		});
	}

	@Test
	void aSectionPassesFewFiles() {
		this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			assertThat(MethodTrace.filesOf(() -> locks.execute("order", () -> "paid"))).hasSizeBetween(10, 30);
		});
	}

	/** The holder is another instance, which hands the lock over. */
	@Test
	void aSectionThatWaitsForTheLockPassesFewFiles() {
		this.runner.run((other) -> this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
			assertThat(MethodTrace.filesOf(() -> other.getBean(LockOperations.class).execute("busy", () -> {
				CompletableFuture<String> waiting = CompletableFuture
					.supplyAsync(() -> locks.execute("busy", () -> "paid"));
				await().pollInterval(Duration.ofMillis(1)).until(() -> redis.hasKey("lock:{busy}:q"));
				return waiting;
			}).join())).hasSizeBetween(10, 35);
		}));
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#orderId")
		public String pay(String orderId) {
			return orderId;
		}

	}

}
