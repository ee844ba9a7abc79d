package io.github.lockboot.autoconfigure.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.leader.LeaderAutoConfiguration;
import io.github.lockboot.fixture.TestEnsemble;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks in ZooKeeper, as an application configures them.
 */
class ZookeeperLockAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(ZookeeperLockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=zookeeper",
				"lock.zookeeper.connect-string=" + TestEnsemble.single().connectString());

	@Test
	void theBackendMakesATemplateWithTheLeaseOfItsSession() {
		this.runner.withBean(Orders.class).withPropertyValues("lock.zookeeper.session-timeout=20s").run((context) -> {
			assertThat(context).hasSingleBean(ZookeeperLockTemplate.class);
			assertThat(context.getBean(Orders.class).lease()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
		});
	}

	@Test
	void anotherBackendMakesNone() {
		this.runner.withPropertyValues("lock.backend=local")
			.run((context) -> assertThat(context).doesNotHaveBean(LockOperations.class));
	}

	@Test
	void aTemplateOfTheApplicationComesFirst() {
		this.runner.withBean("own", LockOperations.class, () -> Mockito.mock(LockOperations.class))
			.run((context) -> assertThat(context).hasSingleBean(LockOperations.class).hasBean("own"));
	}

	@Test
	void nodesBelongToTheUserBelowTheRootThatIsConfigured() {
		this.runner
			.withPropertyValues("lock.zookeeper.root=/apps/shop", "lock.zookeeper.auth=digest:shop:secret",
					"lock.key-prefix=p:")
			.run((context) -> context.getBean(LockOperations.class).execute("a/b", () -> {
				ZooKeeper client = connected("digest", "shop:secret");
				assertThat(client.getChildren("/apps/shop", false)).containsExactlyInAnyOrder("@sessions", "p:a%2Fb");
				assertThat(client.getACL("/apps/shop/p:a%2Fb", new Stat())).hasSize(1)
					.allSatisfy((acl) -> assertThat(acl.getId().getId()).startsWith("shop:"));
				client.close();
			}));
	}

	@Test
	void aCustomizerGivesTheClientItsCredentials() {
		this.runner.withPropertyValues("lock.zookeeper.root=/customized", "lock.zookeeper.acl=creator")
			.withBean(ZookeeperClientCustomizer.class,
					() -> (client) -> client.authorization("digest", "shop:secret".getBytes(StandardCharsets.UTF_8)))
			.run((context) -> context.getBean(LockOperations.class).execute("order", () -> {
				ZooKeeper client = connected("digest", "shop:secret");
				assertThat(client.getACL("/customized/lock:order", new Stat())).hasSize(1)
					.allSatisfy((acl) -> assertThat(acl.getId().getId()).startsWith("shop:"));
				client.close();
			}));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			lock.zookeeper.connect-string=           | must be named
			lock.zookeeper.connect-string=host:port  | connect string is invalid
			lock.zookeeper.root=locks                | must be a path such as /locks
			lock.zookeeper.session-timeout=10ms      | between 1 second and 1 day
			lock.zookeeper.session-timeout=2m        | grants a session timeout of 60000 ms instead of the 120000 ms
			lock.zookeeper.auth=secret               | scheme:credentials
			lock.zookeeper.auth=digest:shop          | digest:user:password
			lock.zookeeper.acl=creator               | does not know the user to whom the nodes shall belong
			lock.zookeeper.auth=none:user            | refuses the credentials
			lock.lease-time=10s                      | lock.zookeeper.session-timeout
			lock.locks.order.lease-time=10s          | lock.zookeeper.session-timeout
			lock.locks.order.renew=false             | lock.zookeeper.session-timeout
			lock.redis.min-replicas-acknowledged=1   | in ZooKeeper (lock.backend=zookeeper)
			""")
	void whatIsWrongStopsTheStart(String property, String message) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause().hasMessageContaining(message));
	}

	@Test
	void aLeaseTimeOfLeadersStopsTheStart() {
		this.runner.withConfiguration(AutoConfigurations.of(LeaderAutoConfiguration.class))
			.withPropertyValues("lock.leader.roles=reports", "lock.leader.lease-time=10s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(LockSetupException.class)
				.hasMessageContaining("The property lock.leader.lease-time does not apply")
				.hasMessageContaining("change the timeout of the session"));
	}

	@Test
	void aPathOfTheConnectStringThatDoesNotExistStopsTheStart() {
		this.runner
			.withPropertyValues(
					"lock.zookeeper.connect-string=" + TestEnsemble.single().connectString() + "/nowhere/at/all")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("the path of the connect string"));
	}

	@Test
	void aRootInWhichTheUserMayNotCreateNodesStopsTheStart() throws Exception {
		ZooKeeper client = connected("digest", "admin:secret");
		client.create("/closed", new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
		client.close();
		this.runner.withPropertyValues("lock.zookeeper.root=/closed")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("no right to create nodes in /closed"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/opened", "/half-opened/@sessions" })
	void aRootThatEverybodyMayChangeStopsTheStartOfOneThatWantsItsNodesProtected(String open) throws Exception {
		String root = open.replace("/@sessions", "");
		ZooKeeper client = connected("digest", "shop:secret");
		if (!open.equals(root)) {
			client.create(root, new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
		}
		client.create(open, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
		client.close();
		this.runner.withPropertyValues("lock.zookeeper.root=" + root, "lock.zookeeper.auth=digest:shop:secret")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContainingAll("everyone may create and delete nodes in " + open, "a new root"));
	}

	@Test
	void aServerThatNeverRepliesStopsTheStartAfterTheConnectionTimeout() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.runner
				.withPropertyValues("lock.zookeeper.connect-string=127.0.0.1:" + silent.getLocalPort(),
						"lock.zookeeper.connection-timeout=300ms")
				.run((context) -> assertThat(context.getStartupFailure()).rootCause()
					.hasMessageContaining("did not reply within 300 ms"));
		}
	}

	@Test
	void aRunThatOutlivesItsCallerIsRefusedAtTheStart() {
		this.runner.withBean(Index.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("Index.build()")
				.hasMessageContaining("set THROW or SKIP, or keep the lock in Redis or a database"));
	}

	@Test
	void itsOwnTimeConfirmsReleases() {
		Binder binder = new Binder(
				new MapConfigurationPropertySource(Map.of("lock.zookeeper.connection-timeout", "7ms")));
		assertThat(new ZookeeperLockBackend().get().replyTimeout().apply(binder)).isEqualTo(Duration.ofMillis(7));
	}

	@Test
	void whatTheStoreHasNotIsRefusedAtTheCall() {
		this.runner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			LockRequest order = LockRequest.of("order");
			for (ThrowingCallable call : List.<ThrowingCallable>of(() -> locks.acquire(order.permits(2)),
					() -> locks.acquire(order.renew(false)),
					() -> locks.acquire(order.leaseTime(Duration.ofHours(1))))) {
				assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(call)
					.withMessageContainingAll("Lock 'order' can't", "ZooKeeper");
			}
		});
	}

	private static ZooKeeper connected(String scheme, String credentials) throws IOException {
		ZooKeeper client = new ZooKeeper(TestEnsemble.single().connectString(), 10_000, (event) -> {
		});
		client.addAuthInfo(scheme, credentials.getBytes(StandardCharsets.UTF_8));
		return client;
	}

	static class Index {

		@DistributedLock(name = "index", onNotAcquired = OnNotAcquired.RERUN)
		public void build() {
		}

	}

	static class Orders {

		private final LockOperations locks;

		Orders(LockOperations locks) {
			this.locks = locks;
		}

		@DistributedLock(name = "order")
		public Duration lease() {
			return this.locks.acquire("another").remainingLease();
		}

	}

}
