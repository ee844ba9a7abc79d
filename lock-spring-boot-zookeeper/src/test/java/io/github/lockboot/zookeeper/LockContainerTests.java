package io.github.lockboot.zookeeper;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.NoRerun;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The containers of locks, in a server inside this JVM that does not delete empty ones
 * itself. The sequence of the nodes in one ends at 2147483647: from there on the server
 * gives the same number, or a negative one, to each; a test sets its counter.
 */
@Tag("long")
@NoRerun
@Timeout(60)
class LockContainerTests {

	private static final int TICK_MILLIS = 200;

	private final NIOServerCnxnFactory connections = new NIOServerCnxnFactory();

	private final LockRequest request = LockRequest.of("queue").fair(true).waitTime(Duration.ofSeconds(40));

	private final List<ZookeeperLockTemplate> instances = new ArrayList<>();

	private ZooKeeperServer server;

	@BeforeEach
	void start(@TempDir Path folder) throws Exception {
		TestEnsemble.quiet();
		this.server = new ZooKeeperServer(folder.toFile(), folder.toFile(), TICK_MILLIS);
		this.connections.configure(new InetSocketAddress("127.0.0.1", 0), 100);
		this.connections.startup(this.server);
		ZookeeperLockSettings settings = ZookeeperLockSettings.of("127.0.0.1:" + this.connections.getLocalPort())
			.withTimeouts(Duration.ofSeconds(4), Duration.ofSeconds(4));
		IntStream.range(0, 3).forEach((i) -> this.instances.add(new ZookeeperLockTemplate(settings, List.of())));
	}

	@AfterEach
	void stop() {
		this.instances.forEach(ZookeeperLockTemplate::close);
		this.connections.shutdown();
	}

	@Test
	void noSectionsOverlapAndTokensGrow() throws Exception {
		beginAt(Integer.MAX_VALUE - 20);
		AtomicInteger inside = new AtomicInteger();
		List<Integer> overlaps = Collections.synchronizedList(new ArrayList<>());
		List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
		ExecutorService threads = Executors.newFixedThreadPool(12);
		List<CompletableFuture<Void>> work = IntStream.range(0, 12).mapToObj((i) -> CompletableFuture.runAsync(() -> {
			ZookeeperLockTemplate locks = this.instances.get(i % 3);
			for (int j = 0; j < 15; j++) {
				locks.execute(this.request, () -> {
					overlaps.add(inside.incrementAndGet());
					tokens.add(locks.fencingToken("queue"));
					inside.decrementAndGet();
				});
			}
		}, threads)).toList();
		for (CompletableFuture<Void> each : work) {
			each.get(50, TimeUnit.SECONDS);
		}
		threads.shutdown();
		assertThat(overlaps).hasSize(12 * 15).containsOnly(1);
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void waitersThatHaveTheSameNumberAcquireTheLockInTheirOrder() throws Exception {
		beginAt(Integer.MAX_VALUE);
		LockHandle held = this.instances.get(0).acquire(this.request);
		List<Integer> order = Collections.synchronizedList(new ArrayList<>());
		List<CompletableFuture<Void>> waiting = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			int number = i;
			waiting
				.add(this.instances.get(i % 3).acquireAsync(this.request).toCompletableFuture().thenAccept((next) -> {
					order.add(number);
					next.closeAsync();
				}));
			TestStores.awaitWaiting(this.instances.get(0), "queue", i + 1);
		}
		held.close();
		CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
		assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
	}

	@Test
	void containersOfReleasedLocksAreDeletedAndThoseOfHeldOnesNot() {
		ZookeeperLockTemplate locks = this.instances.get(0);
		LockHandle held = locks.acquire("held");
		IntStream.range(0, 500).forEach((i) -> locks.acquire("released:" + i).close());
		Awaitility.await()
			.until(() -> this.server.getZKDatabase().getDataTree().getNode("/locks").getChildren(),
					(children) -> children.equals(Set.of("@sessions", "lock:held")));
		assertThat(held.isHeld()).isTrue();
	}

	@Test
	void aListThatWouldVisitTooManyNodesIsRefused() {
		DataNode root = this.server.getZKDatabase().getDataTree().getNode("/locks");
		IntStream.range(0, 5000).forEach((i) -> root.addChild("lock:" + i));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.instances.get(0).list("*", null, 10))
			.withMessageContainingAll("5001 nodes", "lock.zookeeper.root");
	}

	/** The next node gets a number. */
	private void beginAt(int sequence) {
		this.instances.get(0).acquire(this.request).close();
		this.server.getZKDatabase().getDataTree().getNode("/locks/lock:queue").stat.setCversion(sequence);
	}

}
