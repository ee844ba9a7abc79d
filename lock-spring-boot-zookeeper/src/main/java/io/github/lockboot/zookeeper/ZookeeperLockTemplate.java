package io.github.lockboot.zookeeper;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.apache.curator.framework.CuratorFrameworkFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.LockTemplate;

/**
 * Locks in ZooKeeper. The leases of all locks belong to one session, which ends all of
 * them at once if it expires. The template connects with Apache Curator. Thread-safe; one
 * instance serves an application.
 *
 * @since 1.0.0
 */
public class ZookeeperLockTemplate extends LockTemplate {

	private final ZookeeperLockStore store;

	private final ZookeeperLockSettings settings;

	private final Consumer<CuratorFrameworkFactory.Builder> customizer;

	/**
	 * Connect to the ensemble.
	 * @param settings how the ensemble is used
	 * @param listeners notified of the events of locks, in this order
	 * @throws LockUnavailableException if the ensemble cannot be reached within the
	 * connection timeout, refuses the credentials or the rights to create nodes, or does
	 * not grant the session timeout
	 */
	public ZookeeperLockTemplate(ZookeeperLockSettings settings, List<LockListener> listeners) {
		this(settings, listeners, (client) -> {
		});
	}

	/**
	 * Connect to the ensemble with changes of the client.
	 * @param settings how the ensemble is used
	 * @param listeners notified of the events of locks, in this order
	 * @param customizer changes the Curator client before it is built
	 * @throws LockUnavailableException as the other constructor
	 */
	public ZookeeperLockTemplate(ZookeeperLockSettings settings, List<LockListener> listeners,
			Consumer<CuratorFrameworkFactory.Builder> customizer) {
		super((clock) -> ZookeeperLockStore.connect(settings, customizer, clock), settings.lockDefaults(), listeners);
		this.store = (ZookeeperLockStore) store();
		this.settings = settings;
		this.customizer = customizer;
	}

	@Override
	public Map<String, String> connection() {
		return this.store.describe();
	}

	@Override
	protected ZookeeperLockTemplate anotherInstance() {
		return new ZookeeperLockTemplate(this.settings, List.of(), this.customizer);
	}

}
