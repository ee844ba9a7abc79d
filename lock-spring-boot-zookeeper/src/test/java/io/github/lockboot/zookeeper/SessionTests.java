package io.github.lockboot.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of locks when their session expires, or loses its connection.
 */
@Timeout(60)
class SessionTests {

	private final TestEnsemble ensemble = TestEnsemble.single();

	private final SystemClock clock = new SystemClock("lock-timer");

	private final ZookeeperLockStore store = ZookeeperLockStore.connect(TestStores.settings(), this.clock);

	private final LockTemplate locks = new LockTemplate(this.store, this.clock, TestStores.defaults(), List.of());

	private final ZookeeperLockTemplate others = new ZookeeperLockTemplate(TestStores.settings(), List.of());

	private final LockRequest request = LockRequest.of("session:" + UUID.randomUUID()).waitTime(Duration.ofSeconds(30));

	private final LockRequest once = this.request.waitTime(Duration.ZERO);

	@AfterEach
	void close() {
		this.locks.close();
		this.others.close();
	}

	@Test
	void aWaiterWhoseNodeSomebodyHasDeletedQueuesAnew() throws Exception {
		try (ZookeeperLockTemplate third = new ZookeeperLockTemplate(TestStores.settings(), List.of())) {
			LockHandle held = this.others.acquire(this.request);
			CompletableFuture<LockHandle> deleted = this.locks.acquireAsync(this.request).toCompletableFuture();
			awaitWaiting(1);
			CompletableFuture<LockHandle> next = third.acquireAsync(this.request).toCompletableFuture();
			awaitWaiting(2);
			QueueNodes queue = QueueNodes.of(client().getChildren(path(), false), 0);
			client().delete(path() + "/" + queue.nodes().get(1).name(), -1);
			held.close();
			LockHandle later = next.join();
			Awaitility.await().during(Duration.ofMillis(500)).until(() -> !deleted.isDone());
			later.close();
			assertThat(deleted.join().isHeld()).isTrue();
		}
	}

	/** As a server does that no longer accepts the credentials. */
	@Test
	void aClientWhoseLoginIsRefusedIsReplaced() throws Exception {
		LockHandle held = this.locks.acquire(this.request);
		CountDownLatch lost = new CountDownLatch(1);
		held.onLost(lost::countDown);
		client().addAuthInfo("unknown", new byte[0]);
		assertThat(lost.await(1, TimeUnit.SECONDS)).isTrue();
		assertThat(this.locks.acquire(this.request).isHeld()).isTrue();
	}

	@Test
	void aClientThatCannotBeCreatedIsTriedAgain() {
		ZKClientConfig config = new ZKClientConfig();
		try (ZookeeperLockStore changed = ZookeeperLockStore.connect(TestStores.settings(),
				(builder) -> builder.zkClientConfig(config), this.clock)) {
			long session = client(changed).getSessionId();
			config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "no.such.Socket");
			this.ensemble.expire(session);
			Awaitility.await().until(() -> changed.describe().isEmpty());
			config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "ClientCnxnSocketNIO");
			Awaitility.await().until(changed::isReachable);
		}
	}

	@Test
	void aSessionIsClosedIfTheEnsembleLowersItsLimit() throws Exception {
		try (TestEnsemble limited = TestEnsemble.started(1); SystemClock timer = new SystemClock("lock-timer")) {
			ZookeeperLockSettings settings = ZookeeperLockSettings.of(limited.connectString());
			ZookeeperLockStore refused = ZookeeperLockStore.connect(settings, timer);
			LockHandle held = new LockTemplate(refused, timer, settings.lockDefaults(), List.of())
				.acquire(this.request);
			CountDownLatch lost = new CountDownLatch(1);
			held.onLost(lost::countDown);
			limited.leader().restart("maxSessionTimeout=10000");
			assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
			try (ZookeeperLockTemplate next = new ZookeeperLockTemplate(
					settings.withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(5)), List.of())) {
				assertThat(next.acquire(this.request).isHeld()).isTrue();
			}
			Awaitility.await()
				.untilAsserted(() -> assertThat(refused.describe().get("state"))
					.contains("grants a session timeout of 10000 ms"));
			refused.close();
		}
	}

	@Test
	void noSectionStartsWithoutAConnectionAndTheSessionGoesOn() {
		// the session may not expire before the server has started again
		ZookeeperLockSettings settings = TestStores.settings()
			.withTimeouts(Duration.ofSeconds(50), Duration.ofSeconds(4));
		SystemClock timer = new SystemClock("lock-timer");
		ZookeeperLockStore patientStore = ZookeeperLockStore.connect(settings, timer);
		EnsembleServer server = this.ensemble.leader();
		try (LockTemplate patient = new LockTemplate(patientStore, timer, settings.lockDefaults(), List.of())) {
			long session = client(patientStore).getSessionId();
			LockHandle held = patient.acquire(this.request);
			CompletableFuture<LockHandle> waiting = patient.acquireAsync(this.request).toCompletableFuture();
			server.kill();
			Awaitility.await().until(() -> !patientStore.isReachable());
			assertThat(patientStore.describe()).containsEntry("state", "the connection is lost");
			assertThat(held.isHeld()).isTrue();
			held.closeAsync();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> patient.acquire(this.once));
			assertThat(waiting).isNotDone();
			server.start();
			assertThat(waiting.join().isHeld()).isTrue();
			assertThat(client(patientStore).getSessionId()).isEqualTo(session);
		}
	}

	@Test
	void renewalsThatAreDueSoonAreOneWriteOfTheSession() throws Exception {
		List<CompletableFuture<?>> renewals = new ArrayList<>();
		int writes = heartbeats();
		for (String name : List.of("one", "two")) {
			LockAttempt owner = new LockAttempt(name + UUID.randomUUID(), this.store.instance() + ":" + name, 10_000,
					1);
			this.store.acquire(owner, 0, Queueing.NO, 0).toCompletableFuture().join();
			renewals.add(this.store.renew(owner).toCompletableFuture());
			Awaitility.await().pollDelay(Duration.ofMillis(50)).until(() -> true);
		}
		assertThat(renewals).noneMatch(CompletableFuture::isDone);
		this.store.confirmQueued("three", Map.of()); // sooner
		renewals.forEach(CompletableFuture::join);
		assertThat(heartbeats() - writes).isOne();
	}

	private int heartbeats() throws Exception {
		ZooKeeper client = client();
		String node = client.getChildren("/locks/@sessions", false)
			.stream()
			.filter((name) -> name.startsWith(this.store.instance()))
			.findFirst()
			.orElseThrow();
		return client.exists("/locks/@sessions/" + node, false).getVersion();
	}

	@Test
	void anOperatorWhoDeletesTheNodeTakesTheLockAway() throws Exception {
		LockHandle held = this.locks.acquire(this.request);
		CountDownLatch lost = new CountDownLatch(1);
		held.onLost(lost::countDown);
		ZooKeeper client = client();
		client.delete(path() + "/" + client.getChildren(path(), false).get(0), -1);
		assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aWaiterWhoseNodeSomebodyDeletesBeginsNoSectionWithoutOne() throws Exception {
		LockHandle held = this.others.acquire(this.request);
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(this.request).toCompletableFuture();
		awaitWaiting(1);
		ZooKeeper client = client();
		for (String node : client.getChildren(path(), false)) {
			if (client.exists(path() + "/" + node, false).getEphemeralOwner() == client.getSessionId()) {
				client.delete(path() + "/" + node, -1);
			}
		}
		held.close();
		assertThat(waiting.join().isHeld()).isTrue();
		assertThat(client.getChildren(path(), false)).hasSize(1);
	}

	@Test
	void aWaiterWhoseNodeHasGoneQueuesNoLongerAndIsNotGranted() throws Exception {
		LockHandle held = this.others.acquire(this.request);
		CompletableFuture<LockHandle> first = this.locks.acquireAsync(this.request).toCompletableFuture();
		awaitWaiting(1);
		List<LockPushes.Grant> grants = new CopyOnWriteArrayList<>();
		try (SystemClock clock = new SystemClock("lock-timer");
				ZookeeperLockStore store = ZookeeperLockStore.connect(TestStores.settings(), clock)) {
			store.listen(collecting(grants));
			LockAttempt attempt = new LockAttempt(this.request.name(), store.instance() + ":1", 2_000, 1);
			store.acquire(attempt, 0, Queueing.TAIL, 0).toCompletableFuture().join();
			LockNode gone = Objects.requireNonNull(store.node(attempt.id()));
			for (String node : client().getChildren(path(), false)) {
				if (node.startsWith(attempt.id())) {
					client().delete(path() + "/" + node, -1);
				}
			}
			assertThat(store.acquire(attempt, 0, Queueing.TAIL, 0)).failsWithin(Duration.ofSeconds(10));
			assertThat(gone.isQueued()).isFalse();
			held.close();
			first.join().close();
			this.others.acquire(this.request).close();
			assertThat(grants).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, Integer.MAX_VALUE })
	void theOnlyWaiterHasOneNodeAfterACutAndOwnsTheLockWithoutARequest(int permits) throws Exception {
		LockHandle held = this.others.acquire(this.request);
		List<LockPushes.Grant> grants = new CopyOnWriteArrayList<>();
		try (RedisProxy network = new RedisProxy(this.ensemble.leader());
				SystemClock clock = new SystemClock("lock-timer");
				ZookeeperLockStore store = ZookeeperLockStore.connect(ZookeeperLockSettings.of(network.address()),
						clock)) {
			store.listen(collecting(grants));
			LockAttempt attempt = new LockAttempt(this.request.name(), store.instance() + ":1", 10_000, permits);
			network.drop();
			IntStream.range(0, 3).forEach((i) -> store.acquire(attempt, 0, Queueing.TAIL, 0));
			network.cut();
			Awaitility.await()
				.ignoreExceptions()
				.until(() -> store.acquire(attempt, 0, Queueing.TAIL, 0)
					.toCompletableFuture()
					.join() instanceof AcquireReply.Queued);
			assertThat(client().getChildren(path(), false)).hasSize(2);
			Awaitility.await().until(Objects.requireNonNull(store.node(attempt.id()))::isWatched);
			network.holdRequests();
			held.close();
			Awaitility.await().until(() -> !grants.isEmpty());
			network.releaseRequests();
		}
	}

	@Test
	void aNodeIsDeletedAfterAMinHoldTimeOnceTheConnectionIsBack() throws Exception {
		try (RedisProxy network = new RedisProxy(this.ensemble.leader());
				SystemClock clock = new SystemClock("lock-timer");
				ZookeeperLockStore store = ZookeeperLockStore.connect(ZookeeperLockSettings.of(network.address()),
						clock)) {
			LockAttempt attempt = new LockAttempt(this.request.name(), store.instance() + ":1", 10_000, 1);
			store.acquire(attempt, 0, Queueing.TAIL, 0).toCompletableFuture().join();
			LockNode kept = Objects.requireNonNull(store.node(attempt.id()));
			network.drop();
			store.release(attempt, 0, 1);
			Awaitility.await().until(() -> !kept.isOwner());
			network.cut();
			this.others.acquire(this.request).close(); // while the session goes on
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, Integer.MAX_VALUE })
	void aNodeThatCouldNotBeDeletedIsDeletedByTheNextRequest(int permits) throws Exception {
		this.others.acquire(this.request);
		Session session = Mockito.spy(this.store.ensemble().session());
		Mockito.doReturn(CompletableFuture.failedFuture(new KeeperException.ConnectionLossException()))
			.doCallRealMethod()
			.when(session)
			.delete(Mockito.any());
		LockAttempt attempt = new LockAttempt(this.request.name(), this.store.instance() + ":1", 10_000, permits);
		LockNode node = new LockNode(this.store, session, attempt, 0, path(), NodeData.of(10_000, "", attempt));
		assertThat(node.enter(false)).failsWithin(Duration.ofSeconds(10));
		assertThat(node.again(0, true)).failsWithin(Duration.ofSeconds(10));
		assertThat(client().getChildren(path(), false)).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { ZooDefs.Perms.CREATE | ZooDefs.Perms.DELETE, ZooDefs.Perms.ADMIN })
	void aRefusedRequestLeavesNothing(int rights) throws Exception {
		client().create(path(), null, Collections.singletonList(new ACL(rights, ZooDefs.Ids.ANYONE_ID_UNSAFE)),
				CreateMode.PERSISTENT);
		for (int permits : new int[] { 1, Integer.MAX_VALUE }) {
			LockAttempt attempt = new LockAttempt(this.request.name(), this.store.instance() + ":1", 10_000, permits);
			assertThat(this.store.acquire(attempt, 0, Queueing.TAIL, 0)).failsWithin(Duration.ofSeconds(10));
			assertThat(this.store.node(attempt.id())).isNull();
		}
		client().delete(path(), -1); // has no node
	}

	static LockPushes collecting(List<LockPushes.Grant> grants) {
		LockPushes pushes = Mockito.mock(LockPushes.class);
		Mockito.doAnswer((call) -> grants.add(call.getArgument(0))).when(pushes).granted(Mockito.any());
		return pushes;
	}

	@Test
	void whatIsHeldStaysHeldWhenTheLocksAreClosed() {
		this.locks.acquire(this.request);
		this.locks.close();
		assertThat(this.others.tryAcquire(this.once)).isNull();
		assertThat(this.others.acquire(this.request).isHeld()).isTrue();
	}

	@Test
	void aNewContainerIsCreatedTogetherWithItsFirstNode() throws Exception {
		this.locks.acquire(this.request);
		String node = client().getChildren(path(), false).get(0);
		assertThat(client().exists(path(), false).getCzxid())
			.isEqualTo(client().exists(path() + "/" + node, false).getCzxid());
	}

	@Test
	void nodesAreBelowThePathOfTheConnectString() throws Exception {
		String apps = client().create("/apps", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE,
				CreateMode.PERSISTENT_SEQUENTIAL);
		ZookeeperLockSettings settings = ZookeeperLockSettings.of(this.ensemble.connectString() + apps);
		try (ZookeeperLockTemplate below = new ZookeeperLockTemplate(settings, List.of())) {
			LockHandle held = below.acquire(this.request);
			assertThat(client().getChildren(apps + path(), false)).hasSize(1);
			held.close();
			assertThat(below.acquire(this.request).isHeld()).isTrue();
		}
	}

	@Test
	void aRootThatSomebodyHasDeletedIsCreatedAnew() throws Exception {
		try (ZookeeperLockTemplate separate = new ZookeeperLockTemplate(TestStores.settings().withRoot("/deleted"),
				List.of())) {
			ZKUtil.deleteRecursive(client(), "/deleted");
			LockHandle held = separate.acquire(this.request);
			Awaitility.await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(20)).until(held::isHeld);
			held.close();
		}
	}

	@Test
	void theMessageOfABusyLockDoesNotClaimThatItsLeaseEnds() {
		this.others.acquire(this.request);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.locks.acquire(this.once))
			.matches((failure) -> failure.remaining() == null)
			.withMessageNotContaining("lease runs");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void anOutageIsLoggedWithItsEnd(CapturedOutput output) {
		EnsembleServer server = this.ensemble.leader();
		server.kill();
		Awaitility.await().until(() -> output.getOut().contains("has been unreachable for the locks since"));
		server.start();
		Awaitility.await().until(() -> output.getOut().contains("is back for the locks after"));
	}

	@Test
	void aThreadWithAVeryLongNameAcquiresALock() throws Exception {
		Thread thread = new Thread(() -> this.locks.acquire(this.request), "x".repeat(1_200_000));
		thread.start();
		thread.join();
		assertThat(this.others.tryAcquire(this.once)).isNull();
	}

	@Test
	void theConnectionIsDescribed() {
		assertThat(this.others.connection()).containsEntry("state", "CONNECTED")
			.containsEntry("sessionTimeout", "4000 ms")
			.containsKeys("sessionId", "server");
	}

	private void awaitWaiting(long count) {
		Awaitility.await().until(() -> this.others.inspect(this.request.name()).waiting() == count);
	}

	private ZooKeeper client() {
		return client(this.store);
	}

	private static ZooKeeper client(ZookeeperLockStore store) {
		return store.ensemble().session().client();
	}

	private String path() {
		return "/locks/lock:" + this.request.name();
	}

}
