package io.github.lockboot.benchmarks.peer;

import java.util.concurrent.locks.Lock;

import org.apache.curator.framework.CuratorFramework;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/**
 * Spring Integration's registry.
 */
final class IntegrationZooKeeperPeer implements Peer {

	private final CuratorFramework client;

	private final ZookeeperLockRegistry registry;

	IntegrationZooKeeperPeer(String connectString) {
		this.client = CuratorPeer.connect(connectString);
		this.registry = new ZookeeperLockRegistry(this.client, "/integration");
	}

	@Override
	public Runnable acquire(String lock) {
		Lock acquired = this.registry.obtain(lock);
		acquired.lock();
		return acquired::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.client.close();
	}

}
