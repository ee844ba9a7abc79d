package io.github.lockboot.faults;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.zookeeper.ClockedZookeeperLocks;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;

/**
 * Connects the workers to an ensemble.
 */
final class EnsembleWorkerStore implements WorkerStore {

	@Override
	public Address.Kind kind() {
		return Address.Kind.ZOOKEEPER;
	}

	@Override
	public LockTemplate connect(Address address, LockDefaults defaults, MonotonicClock clock,
			List<LockListener> listeners) {
		ZookeeperLockSettings settings = ZookeeperLockSettings.of(String.join(",", address.nodes()))
			.withTimeouts(FaultRun.LEASE, FaultRun.COMMAND_TIMEOUT)
			.withLockDefaults(defaults);
		return ClockedZookeeperLocks.of(settings, clock, listeners);
	}

}
