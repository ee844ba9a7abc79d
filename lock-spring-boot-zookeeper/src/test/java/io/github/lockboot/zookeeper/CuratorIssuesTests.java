package io.github.lockboot.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Situations in which users of the recipes of Curator have reported locks that nobody
 * could acquire any more, or that two acquired at once. The numbers are those of its
 * issues.
 */
@Tag("long")
class CuratorIssuesTests {

	/** Longer than a test: what it leaves behind stays. */
	private static final Duration SESSION = Duration.ofSeconds(60);

	private static final Duration CONNECTION = Duration.ofSeconds(10);

	private final TestEnsemble ensemble = TestEnsemble.single();

	private final EnsembleServer server = this.ensemble.servers().get(0);

	/** Between the server and the first instance. */
	private final RedisProxy network = new RedisProxy(this.server);

	private final List<ZookeeperLockTemplate> instances = new ArrayList<>();

	private final CuratorFramework client = CuratorFrameworkFactory.newClient(this.ensemble.connectString(),
			new RetryNTimes(20, 100));

	private final String name = "issue:" + UUID.randomUUID();

	private final String path = "/locks/lock:" + this.name;

	private final LockRequest lock = LockRequest.of(this.name).waitTime(Duration.ofSeconds(30));

	private ZookeeperLockTemplate first;

	private ZookeeperLockTemplate second;

	@BeforeEach
	void open() throws Exception {
		this.client.start();
		this.client.create().creatingParentsIfNeeded().forPath(this.path);
		this.first = instance(this.network.address());
		this.second = instance(this.ensemble.connectString());
	}

	@AfterEach
	void close() throws Exception {
		this.network.cut();
		this.instances.forEach(ZookeeperLockTemplate::close);
		this.network.close();
		this.client.delete().quietly().deletingChildrenIfNeeded().forPath(this.path);
		this.client.close();
	}

	@Test
	void aHolderIsToldThatItsSessionHasExpired727() throws Exception {
		CompletableFuture<String> lost = new CompletableFuture<>();
		LockHandle hold = this.first.acquire(this.lock);
		hold.onLost(() -> lost.complete("lost"));
		CompletableFuture<LockHandle> waiter = acquire(this.second);
		awaitNodes(2);
		this.ensemble.expire(sessionOf(nodes().stream().min(byPlace()).orElseThrow()));
		try (LockHandle next = waiter.get(20, TimeUnit.SECONDS)) {
			assertThat(lost.get(10, TimeUnit.SECONDS)).isEqualTo("lost");
			assertThat(hold.loss()).hasMessageContaining("the session of this instance has expired");
			assertThat(hold.isHeld()).isFalse();
			assertThat(next.fencingToken()).isGreaterThan(hold.fencingToken());
		}
	}

	@Test
	void aReleaseWhoseConnectionBreaksLeavesNoNode1193() throws Exception {
		LockHandle hold = this.first.acquire(this.lock);
		this.network.holdRequests();
		CompletableFuture<?> released = hold.closeAsync().toCompletableFuture();
		this.network.cut();
		this.network.releaseRequests();
		acquire(this.second).get(20, TimeUnit.SECONDS).close();
		acquire(this.first).get(20, TimeUnit.SECONDS).close();
		assertThat(released).succeedsWithin(Duration.ofSeconds(20));
		awaitNodes(0);
	}

	@Test
	void aCancelledAttemptLeavesNoNode600() throws Exception {
		this.network.holdAnswers();
		CompletableFuture<LockHandle> attempt = acquire(this.first);
		awaitNodes(1);
		attempt.cancel(true);
		this.network.releaseAnswers();
		awaitNodes(0);
		acquire(this.second).get(20, TimeUnit.SECONDS).close();
	}

	@Test
	void anAttemptWhoseReplyWasLostFindsItsNode566() throws Exception {
		this.network.holdAnswers();
		CompletableFuture<LockHandle> attempt = acquire(this.first);
		awaitNodes(1);
		String node = nodes().get(0);
		this.network.cut();
		this.network.releaseAnswers();
		try (LockHandle hold = attempt.get(20, TimeUnit.SECONDS)) {
			assertThat(hold.isHeld()).isTrue();
			assertThat(nodes()).containsExactly(node);
		}
	}

	@Test
	void aNodeOfAnEarlierSessionDoesNotGrantTheLock1121() throws Exception {
		LockHandle hold = this.second.acquire(this.lock);
		CompletableFuture<LockHandle> waiter = acquire(this.first);
		awaitNodes(2);
		String earlier = nodes().stream().max(byPlace()).orElseThrow();
		this.ensemble.expire(sessionOf(earlier));
		// that session may not have ended yet for the server that the instance asks next
		String copy = this.path + "/" + earlier.substring(0, earlier.length() - 10);
		String stale = this.client.create().withMode(CreateMode.EPHEMERAL_SEQUENTIAL).forPath(copy);
		Awaitility.await().until(() -> nodes().stream().anyMatch((node) -> node.contains("-2-x-")));
		hold.close();
		try (LockHandle next = waiter.get(20, TimeUnit.SECONDS)) {
			assertThat(next.isHeld()).isTrue();
			assertThat(this.client.checkExists().forPath(stale)).isNull();
			assertThat(nodes()).hasSize(1).doesNotContain(earlier);
		}
	}

	@Test
	void aReleaseBetweenTheListAndTheWatchIsNotMissed1046() throws Exception {
		LockHandle hold = this.second.acquire(this.lock);
		this.network.holdAnswers();
		CompletableFuture<LockHandle> waiter = acquire(this.first);
		awaitNodes(2);
		hold.close();
		this.network.releaseAnswers();
		waiter.get(20, TimeUnit.SECONDS).close();
	}

	@Test
	void aDowngradeKeepsAWaitingWriterOut796() throws Exception {
		ReadWriteLock holder = this.first.asReadWriteLock(this.name);
		holder.writeLock().lock();
		CompletableFuture<LockHandle> writer = acquire(this.second);
		awaitNodes(2);
		holder.readLock().lock();
		holder.writeLock().unlock();
		assertThat(this.second.inspect(this.name).waiting()).isEqualTo(1);
		assertThat(writer).isNotDone();
		holder.readLock().unlock();
		writer.get(20, TimeUnit.SECONDS).close();
	}

	@Test
	void anUnusedNameLeavesNoNodeAndCanBeUsedAgain827() throws Exception {
		this.client.delete().forPath(this.path);
		this.first.acquire(this.lock).close();
		Awaitility.await().until(() -> this.client.checkExists().forPath(this.path) == null);
		this.first.acquire(this.lock).close();
	}

	@Test
	void aReleaseWakesOneOfManyWaiters() throws Exception {
		LockHandle hold = this.first.acquire(this.lock);
		List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			waiters.add(acquire((i == 0) ? this.second : instance(this.ensemble.connectString())));
			awaitNodes(i + 2);
		}
		// all watch: the waiters the node before them, the holder its own
		Awaitility.await().until(() -> watchedNodes() >= 6);
		long before = this.server.figure("zk_sum_node_deleted_watch_count");
		hold.close();
		waiters.get(0).get(20, TimeUnit.SECONDS);
		assertThat(this.server.figure("zk_sum_node_deleted_watch_count") - before).isBetween(1L, 2L);
		for (CompletableFuture<LockHandle> waiter : waiters) {
			waiter.get(20, TimeUnit.SECONDS).close();
		}
	}

	private long watchedNodes() {
		return this.server.query("wchp").lines().filter((line) -> line.startsWith(this.path + "/")).count();
	}

	private ZookeeperLockTemplate instance(String connectString) {
		ZookeeperLockTemplate instance = new ZookeeperLockTemplate(
				ZookeeperLockSettings.of(connectString).withTimeouts(SESSION, CONNECTION), List.of());
		this.instances.add(instance);
		return instance;
	}

	private CompletableFuture<LockHandle> acquire(ZookeeperLockTemplate instance) {
		return instance.acquireAsync(this.lock).toCompletableFuture();
	}

	private static Comparator<String> byPlace() {
		return Comparator.comparing((node) -> node.substring(node.length() - 10));
	}

	private List<String> nodes() throws Exception {
		return (this.client.checkExists().forPath(this.path) != null) ? this.client.getChildren().forPath(this.path)
				: List.of();
	}

	private void awaitNodes(int count) {
		Awaitility.await().until(() -> nodes().size() == count);
	}

	private long sessionOf(String node) throws Exception {
		return this.client.checkExists().forPath(this.path + "/" + node).getEphemeralOwner();
	}

}
