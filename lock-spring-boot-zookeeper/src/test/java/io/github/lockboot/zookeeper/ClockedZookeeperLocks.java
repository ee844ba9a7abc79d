package io.github.lockboot.zookeeper;

import java.util.List;
import java.util.function.UnaryOperator;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore;

/**
 * Locks in ZooKeeper like those of a {@link ZookeeperLockTemplate}, with a clock of the
 * test.
 */
public final class ClockedZookeeperLocks {

	private ClockedZookeeperLocks() {
	}

	/**
	 * Connect to the ensemble.
	 * @param settings how the ensemble is used
	 * @param clock time and timers; closed with the template
	 * @param listeners notified of events
	 * @param before wraps the store
	 * @return the template
	 */
	public static LockTemplate of(ZookeeperLockSettings settings, MonotonicClock clock, List<LockListener> listeners,
			UnaryOperator<LockStore> before) {
		return new LockTemplate(before.apply(ZookeeperLockStore.connect(settings, clock)), clock,
				settings.lockDefaults(), listeners);
	}

}
