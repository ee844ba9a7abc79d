package io.github.lockboot.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.RenewReply.NotOwner;
import io.github.lockboot.engine.store.LockStore.RenewReply.Renewed;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An owner that loses its connection before or after it has left its watch, and resumes
 * the session.
 */
@Timeout(60)
class LostWatchTests {

	private final TestEnsemble ensemble = TestEnsemble.single();

	private final EnsembleServer server = this.ensemble.servers().get(0);

	/** Between the server and the owner. */
	private final RedisProxy network = new RedisProxy(this.server);

	private final ZookeeperLockTemplate others = new ZookeeperLockTemplate(
			ZookeeperLockSettings.of(this.ensemble.connectString()), List.of());

	private final LockRequest request = LockRequest.of("watch:" + UUID.randomUUID()).waitTime(Duration.ofSeconds(30));

	@AfterEach
	void close() {
		this.network.close();
		this.others.close();
	}

	@Test
	void anOwnerCutBeforeItsWatchLearnsOfAForcedRelease() throws Exception {
		try (ZookeeperLockTemplate owner = owner(Map.of())) {
			LockHandle hold = owner.acquire(this.request);
			cutBeforeWatch(owner);
			this.others.forceRelease(this.request.name());
			awaitLoss(hold);
		}
	}

	@Test
	void anOwnerCutBeforeItsWatchMakesWayForAnotherInstance() throws Exception {
		try (ZookeeperLockTemplate owner = owner(Map.of())) {
			LockHandle hold = owner.acquire(this.request);
			cutBeforeWatch(owner);
			CompletableFuture<LockHandle> waiter = this.others.acquireAsync(this.request).toCompletableFuture();
			long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
			while (!waiter.isDone() && System.nanoTime() - endNanos < 0) {
				hold = passOn(owner, hold, waiter);
			}
			waiter.get(1, TimeUnit.SECONDS);
			hold.close();
		}
	}

	/** A section of 10 ms, after which the next caller of the owner has the lock. */
	private LockHandle passOn(ZookeeperLockTemplate owner, LockHandle hold, CompletableFuture<LockHandle> waiter)
			throws Exception {
		CompletableFuture<LockHandle> next = owner.acquireAsync(this.request).toCompletableFuture();
		Awaitility.await().pollDelay(Duration.ofMillis(10)).until(() -> true);
		hold.close();
		waiter.thenAccept(LockHandle::close);
		return next.get(20, TimeUnit.SECONDS);
	}

	/** A cut in each step of an acquisition, and in those that follow it. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 4, 6, 8, 12 })
	void aForcedReleaseAfterACutLeavesOneHolder(int cutAfterMillis) throws Exception {
		try (ZookeeperLockTemplate owner = owner(Map.of())) {
			CompletableFuture<LockHandle> acquisition = owner.acquireAsync(this.request).toCompletableFuture();
			Awaitility.await().pollDelay(Duration.ofMillis(cutAfterMillis)).until(() -> true);
			this.network.cut();
			LockHandle hold = acquisition.get(20, TimeUnit.SECONDS);
			this.others.forceRelease(this.request.name());
			try (LockHandle next = this.others.acquire(this.request)) {
				awaitLoss(hold);
				assertThat(next.isHeld()).isTrue();
			}
		}
	}

	@Test
	void anOwnerWhoseClientForgetsItsWatchesLearnsOfAForcedRelease() throws Exception {
		try (ZookeeperLockTemplate owner = owner(Map.of("zookeeper.disableAutoWatchReset", "true"))) {
			long before = watches();
			LockHandle hold = owner.acquire(this.request);
			Awaitility.await().until(() -> watches() > before);
			this.network.cut();
			awaitConnection(owner);
			this.others.forceRelease(this.request.name());
			awaitLoss(hold);
		}
	}

	@Test
	void aRenewalNoticesThatTheNodeHasGone() {
		try (SkippingClock clock = new SkippingClock();
				ZookeeperLockStore store = ZookeeperLockStore.connect(TestStores.settings(), clock)) {
			LockAttempt attempt = new LockAttempt(this.request.name(), store.instance() + ":1", 2_000, 1);
			long before = watches();
			store.acquire(attempt, 0, Queueing.NO, 0).toCompletableFuture().join();
			Awaitility.await().until(() -> watches() > before);
			Session session = store.ensemble().session();
			session.unwatch("/locks/lock:" + attempt.lock(), Objects.requireNonNull(store.node(attempt.id())));
			this.others.forceRelease(attempt.lock());
			assertThat(store.renew(attempt).toCompletableFuture().join()).isInstanceOf(Renewed.class);
			clock.skip(Duration.ofMinutes(1));
			Awaitility.await().until(() -> store.renew(attempt).toCompletableFuture().join() instanceof NotOwner);
		}
	}

	private long watches() {
		return this.server.figure("zk_watch_count");
	}

	/** The request that leaves the watch is sent 5 ms after the acquisition. */
	private void cutBeforeWatch(ZookeeperLockTemplate owner) throws InterruptedException {
		this.network.holdRequests();
		Awaitility.await().pollDelay(Duration.ofMillis(30)).until(() -> true);
		this.network.cut();
		this.network.releaseRequests();
		awaitConnection(owner);
	}

	private static void awaitConnection(ZookeeperLockTemplate owner) {
		Awaitility.await().until(() -> !owner.connection().containsValue("CONNECTED"));
		Awaitility.await().until(() -> owner.connection().containsValue("CONNECTED"));
	}

	private static void awaitLoss(LockHandle hold) {
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !hold.isHeld());
		assertThat(hold.loss()).hasMessageContaining("released by force");
	}

	private ZookeeperLockTemplate owner(Map<String, String> properties) {
		ZookeeperLockTemplate owner = new ZookeeperLockTemplate(
				ZookeeperLockSettings.of(this.network.address()).withClientProperties(properties), List.of());
		owner.acquire(LockRequest.of("warm")).close(); // a first acquisition is slow
		return owner;
	}

	/** The time of this machine, or later. */
	private static final class SkippingClock implements MonotonicClock {

		private final SystemClock system = new SystemClock("lock-timer");

		private volatile long skippedNanos;

		void skip(Duration time) {
			this.skippedNanos += time.toNanos();
		}

		@Override
		public long nanoTime() {
			return this.system.nanoTime() + this.skippedNanos;
		}

		@Override
		public Timer schedule(long atNanos, Runnable task) {
			return this.system.schedule(atNanos - this.skippedNanos, task);
		}

		@Override
		public void close() {
			this.system.close();
		}

	}

}
