package io.github.lockboot.zookeeper;

import java.util.List;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;

/**
 * Locks in ZooKeeper like those of a {@link ZookeeperLockTemplate}, with a clock of the
 * test.
 */
public final class ClockedZookeeperLocks {

	private ClockedZookeeperLocks() {
	}

	/**
	 * Connect to the ensemble.
	 * @param clock time and timers; closed with the template
	 * @param listeners notified of events
	 */
	public static LockTemplate of(ZookeeperLockSettings settings, MonotonicClock clock, List<LockListener> listeners) {
		return new LockTemplate(ZookeeperLockStore.connect(settings, clock), clock, settings.lockDefaults(), listeners);
	}

}
