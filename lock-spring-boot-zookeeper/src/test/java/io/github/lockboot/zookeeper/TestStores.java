package io.github.lockboot.zookeeper;

import java.time.Duration;

import org.awaitility.Awaitility;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.TestEnsemble;

/**
 * Stores on the server of ZooKeeper that the tests share.
 */
final class TestStores {

	private static final Duration TIMEOUT = Duration.ofSeconds(4);

	private TestStores() {
	}

	static ZookeeperLockSettings settings() {
		return ZookeeperLockSettings.of(TestEnsemble.single().connectString())
			.withLockDefaults(LockDefaults.defaults().withApplication("shop"))
			.withTimeouts(TIMEOUT, TIMEOUT);
	}

	/** Return the defaults for an engine over such a store. */
	static LockDefaults defaults() {
		return settings().lockDefaults();
	}

	/** Wait until so many wait for a lock, by what the servers show. */
	static void awaitWaiting(ZookeeperLockTemplate locks, String name, long count) {
		Awaitility.await().until(() -> locks.inspect(name).waiting() == count);
	}

	static LockStore store(MonotonicClock clock) {
		return ZookeeperLockStore.connect(settings(), clock);
	}

}
