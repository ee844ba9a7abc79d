package io.github.lockboot.starter.zookeeper;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.Objects;

import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.actuate.LocksEndpoint;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the starter, {@code lock.backend=zookeeper} and no class of Redis
 * or JDBC.
 */
@SpringBootTest(properties = { "lock.backend=zookeeper", "management.endpoints.web.exposure.include=locks" })
class ApplicationWithoutRedisTests {

	private static final ServerCnxnFactory SERVER = startedServer();

	@Autowired
	LockOperations locks;

	@Autowired
	Orders orders;

	@Autowired
	HealthIndicator locksHealthContributor;

	@Autowired
	LocksEndpoint endpoint;

	private static ServerCnxnFactory startedServer() {
		try {
			File folder = Files.createTempDirectory("zookeeper").toFile();
			folder.deleteOnExit();
			ServerCnxnFactory server = ServerCnxnFactory.createFactory(new InetSocketAddress("127.0.0.1", 0), 0);
			server.startup(new ZooKeeperServer(folder, folder, 2000));
			return server;
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@DynamicPropertySource
	static void connect(DynamicPropertyRegistry properties) {
		properties.add("lock.zookeeper.connect-string", () -> "127.0.0.1:" + SERVER.getLocalPort());
	}

	@AfterAll
	static void stopServer() {
		SERVER.shutdown();
	}

	@Test
	void thereIsNeitherRedisNorJdbc() {
		ClassLoader loader = getClass().getClassLoader();
		for (String name : new String[] { "io.lettuce.core.RedisClient",
				"org.springframework.data.redis.connection.RedisConnectionFactory",
				"org.springframework.jdbc.core.JdbcTemplate" }) {
			assertThat(ClassUtils.isPresent(name, loader)).as(name).isFalse();
		}
	}

	@Test
	void anAnnotatedMethodRunsUnderItsLock() {
		assertThat(this.orders.ownerWhilePaying("4711")).isNotNull();
		Awaitility.await().until(() -> !this.locks.inspect("order:4711").isHeld());
	}

	@Test
	void theEndpointShowsTheOwner() {
		this.locks.execute("stock",
				() -> assertThat(this.endpoint.lock(new String[] { "stock" }, null)).asString().contains("stock"));
	}

	@Test
	void healthIsUpAndShowsTheSession() {
		Health health = Objects.requireNonNull(this.locksHealthContributor.health());
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("connection"))
			.asInstanceOf(InstanceOfAssertFactories.map(String.class, String.class))
			.containsEntry("state", "CONNECTED")
			.containsEntry("sessionTimeout", "30000 ms")
			.containsKeys("server", "sessionId");
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
		public String ownerWhilePaying(String id) {
			return String.valueOf(this.locks.inspect("order:" + id).owner());
		}

	}

}
