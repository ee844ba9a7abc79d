package io.github.lockboot.zookeeper;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.management.ObjectName;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of attempts of one instance at one lock.
 */
@Timeout(300)
class ManyWaitersTests {

	/** Further ones by hand: -Dlockboot.zookeeper.waiters=10000. */
	private static final int WAITERS = Integer.getInteger("lockboot.zookeeper.waiters", 2_000);

	private static final int ATTEMPTS = Integer.getInteger("lockboot.zookeeper.attempts", 3_000);

	private static final int LOCKS = 100;

	private final TestEnsemble ensemble = TestEnsemble.single();

	private final EnsembleServer server = this.ensemble.servers().get(0);

	private final RedisProxy network = new RedisProxy(this.server);

	private final ZookeeperLockSettings settings = ZookeeperLockSettings.of(this.network.address())
		.withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(5));

	private final SystemClock clock = new SystemClock("lock-timer");

	private final ZookeeperLockStore store = ZookeeperLockStore.connect(this.settings, this.clock);

	private final LockTemplate locks = new LockTemplate(this.store, this.clock, this.settings.lockDefaults(),
			List.of());

	private final String name = "many:" + UUID.randomUUID();

	private final LockRequest fair = LockRequest.of(this.name).fair(true).waitTime(Duration.ofMinutes(10));

	@AfterEach
	void close() {
		this.locks.close();
		this.network.close();
	}

	@Test
	void fairWaitersFollowInOrderAndHurtNoOtherLock() {
		LockHandle unrelated = this.locks.acquire(LockRequest.of(this.name + ":unrelated"));
		LockHandle hold = this.locks.acquire(this.fair);
		List<Integer> order = new ArrayList<>();
		List<CompletableFuture<Void>> waiters = waiters(order);
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.ignoreExceptions() // behind thousands of requests
			.until(() -> this.locks.inspect(this.name).waiting() == WAITERS);
		this.network.cut();
		Awaitility.await().until(() -> this.store.isReachable());
		long requests = this.server.figure("zk_packets_received");
		long beganNanos = System.nanoTime();
		hold.close();
		waiters.forEach(CompletableFuture::join);
		long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
		System.out.println(WAITERS + " fair waiters in " + tookMillis + " ms, requests for each "
				+ (this.server.figure("zk_packets_received") - requests) / (double) WAITERS);
		assertThat(order).isEqualTo(IntStream.range(0, WAITERS).boxed().toList());
		assertThat(unrelated.isHeld()).isTrue();
	}

	private List<CompletableFuture<Void>> waiters(List<Integer> order) {
		List<CompletableFuture<Void>> waiters = new ArrayList<>();
		for (int i = 0; i < WAITERS; i++) {
			int number = i;
			waiters.add(this.locks.acquireAsync(this.fair).toCompletableFuture().thenAccept((handle) -> {
				order.add(number); // guarded by the lock
				handle.closeAsync();
			}));
		}
		return waiters;
	}

	@Test
	void attemptsThatGiveUpLeaveNothingInMemory() throws Exception {
		IntStream.range(0, LOCKS).forEach((lock) -> this.locks.acquire(LockRequest.of(this.name + lock)));
		for (int from = 0; from < ATTEMPTS; from += LOCKS) {
			IntStream.range(from, from + LOCKS).mapToObj(this::tryInVain).toList().forEach(CompletableFuture::join);
		}
		assertThat(instancesOf(LockNode.class)).isLessThan(3 * LOCKS);
	}

	private CompletableFuture<?> tryInVain(int number) {
		LockAttempt attempt = new LockAttempt(this.name + number % LOCKS, this.store.instance() + ":vain" + number,
				10_000, 1);
		return this.store.acquire(attempt, 0, Queueing.TAIL, 0)
			.thenCompose((reply) -> this.store.release(attempt, 0, 0))
			.toCompletableFuture();
	}

	private static long instancesOf(Class<?> type) throws Exception {
		String histogram = (String) ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
					new Object[] { null }, new String[] { String[].class.getName() });
		return histogram.lines()
			.map((line) -> line.strip().split("\\s+"))
			.filter((columns) -> columns.length >= 4 && columns[3].equals(type.getName()))
			.mapToLong((columns) -> Long.parseLong(columns[1]))
			.sum();
	}

}
