package io.github.lockboot.lines;

import java.util.ArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.fixture.TestEnsemble;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with locks in ZooKeeper.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "lock.backend=zookeeper", "lock.cache.enabled=false" })
@Timeout(60)
class ZookeeperApplicationTests {

	@Autowired
	LockOperations locks;

	@Autowired
	Orders orders;

	@Value("${local.server.port}")
	int port;

	@DynamicPropertySource
	static void zookeeper(DynamicPropertyRegistry registry) {
		registry.add("lock.zookeeper.connect-string", () -> TestEnsemble.single().connectString());
	}

	@Test
	void anAnnotatedMethodHoldsItsLock() {
		assertThat(this.locks).isInstanceOf(ZookeeperLockTemplate.class);
		assertThat(this.orders.pay("plain")).isTrue();
		assertThat(this.orders.archive()).isTrue();
	}

	@Test
	void tokensGrow() {
		long first;
		try (LockHandle held = this.locks.acquire("stock")) {
			first = held.fencingToken();
		}
		try (LockHandle held = this.locks.acquire("stock")) {
			assertThat(held.fencingToken()).isGreaterThan(first);
		}
	}

	@Test
	void theLockOutlivesTheCommit() {
		assertThat(this.orders.payInTransaction("committed", new ArrayList<>())).containsExactly(true, true);
	}

	@Test
	void theHealthShowsTheConnection() {
		assertThat(new Actuator(this.port).get("health/locks").body()).contains("\"status\":\"UP\"")
			.contains("\"state\":\"CONNECTED\"");
	}

}
