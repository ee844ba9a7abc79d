package io.github.lockboot.starter.jdbc;

import java.util.Map;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the starter, {@code lock.backend=jdbc} and no class of Redis.
 */
@SpringBootTest(properties = "lock.backend=jdbc")
class ApplicationWithoutRedisTests {

	@Autowired
	LockOperations locks;

	@Autowired
	Orders orders;

	@Autowired
	HealthIndicator locksHealthContributor;

	@Autowired
	JdbcClient database;

	@Test
	void thereIsNoRedis() {
		ClassLoader loader = getClass().getClassLoader();
		assertThat(ClassUtils.isPresent("io.lettuce.core.RedisClient", loader)).isFalse();
		assertThat(ClassUtils.isPresent("org.springframework.data.redis.connection.RedisConnectionFactory", loader))
			.isFalse();
	}

	@Test
	void anAnnotatedMethodRunsUnderItsLock() {
		assertThat(this.orders.ownerWhilePaying("4711")).isNotNull();
		Awaitility.await().until(() -> !this.locks.inspect("order:4711").isHeld());
	}

	@Test
	void theTableShowsWhoHoldsALock() {
		Map<String, Object> row = this.locks.execute("stock",
				() -> this.database.sql("SELECT * FROM distributed_lock WHERE name = 'lock:stock'")
					.query()
					.singleRow());
		assertThat(row).containsEntry("STATE", "HELD")
			.containsEntry("PROCESS", ProcessHandle.current().pid())
			.containsEntry("THREAD", Thread.currentThread().getName());
	}

	@Test
	void healthIsUp() {
		Health health = Objects.requireNonNull(this.locksHealthContributor.health());
		assertThat(health.getStatus()).isEqualTo(Status.UP);
	}

	@SpringBootApplication
	@Import(Orders.class)
	static class Application {

	}

	static class Orders {

		private final LockOperations locks;

		Orders(LockOperations locks) {
			this.locks = locks;
		}

		@DistributedLock(name = "order", key = "#id")
		@Transactional
		public String ownerWhilePaying(String id) {
			return String.valueOf(this.locks.inspect("order:" + id).owner());
		}

	}

}
