package io.github.lockboot.zookeeper;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockContracts;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;

import static org.assertj.core.api.Assertions.assertThat;

class ZookeeperContractTests extends LockContracts.WithQueue {

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(clock);
	}

	@Override
	protected LockDefaults defaults() {
		return TestStores.defaults();
	}

	/**
	 * So that its JVM can keep the lock for a moment, or pass it on for one turn only.
	 */
	@Test
	void grantTellsThatAnotherJvmWaits() {
		String lock = "grant:" + UUID.randomUUID();
		try (SystemClock clock = new SystemClock("lock-timer");
				LockStore owner = newStore(clock);
				LockStore next = newStore(clock);
				LockStore last = newStore(clock)) {
			List<LockPushes.Grant> grants = new CopyOnWriteArrayList<>();
			next.listen(SessionTests.collecting(grants));
			LockAttempt owning = queue(owner, lock);
			queue(next, lock);
			queue(last, lock);
			owner.release(owning, 0, 0);
			Awaitility.await().until(() -> !grants.isEmpty());
			assertThat(grants.get(0).queued()).isOne();
		}
	}

	private static LockAttempt queue(LockStore store, String lock) {
		LockAttempt attempt = new LockAttempt(lock, store.instance() + ":1", 10_000, 1);
		store.acquire(attempt, 0, Queueing.TAIL, 0).toCompletableFuture().join();
		return attempt;
	}

}
