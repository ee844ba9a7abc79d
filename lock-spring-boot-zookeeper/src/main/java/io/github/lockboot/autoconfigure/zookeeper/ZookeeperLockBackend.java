package io.github.lockboot.autoconfigure.zookeeper;

import java.util.Map;

import io.github.lockboot.autoconfigure.store.LockBackend;

/**
 * Describes the store in ZooKeeper.
 */
final class ZookeeperLockBackend implements LockBackend.Provider {

	static final String NAME = "zookeeper";

	private static final String LEASE_OF_SESSION = "Locks in ZooKeeper (lock.backend=zookeeper) have the lease of the"
			+ " session, which is renewed: remove the property, and set lock.zookeeper.session-timeout";

	@Override
	public LockBackend get() {
		return new LockBackend(NAME, "in ZooKeeper", "Apache Curator", "org.apache.curator.framework.CuratorFramework",
				"io.github.lockboot:lock-spring-boot-starter-zookeeper", ZookeeperLockProperties.class,
				(binder) -> ZookeeperLockProperties.bind(binder).connectionTimeout(),
				Map.of(LockBackend.Setting.LEASE_TIME, LEASE_OF_SESSION, LockBackend.Setting.NO_RENEWAL,
						LEASE_OF_SESSION),
				null);
	}

}
