package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

/**
 * Our locks in ZooKeeper with the default features (fencing token, renewal) and a
 * listener that counts and times as the metrics do.
 */
final class OurZooKeeperPeer implements Peer {

	private final ZookeeperLockTemplate locks;

	OurZooKeeperPeer(String connectString) {
		LockDefaults defaults = LockDefaults.defaults().withWaitTime(Duration.ofMinutes(2));
		this.locks = new ZookeeperLockTemplate(ZookeeperLockSettings.of(connectString).withLockDefaults(defaults),
				List.of(new TimingListener()));
	}

	@Override
	public Runnable acquire(String lock) {
		LockHandle handle = this.locks.tryAcquire(LockRequest.of(lock));
		if (handle == null) {
			throw new IllegalStateException("Lock '" + lock + "' was not acquired");
		}
		return handle::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.execute(LockRequest.of(lock), section::run);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
