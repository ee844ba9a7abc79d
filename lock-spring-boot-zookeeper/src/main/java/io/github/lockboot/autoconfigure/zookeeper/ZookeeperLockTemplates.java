package io.github.lockboot.autoconfigure.zookeeper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

/**
 * Creates additional templates of an application that lock in ZooKeeper, beside the
 * template of {@code lock.backend}. These templates have the same properties under
 * {@code lock} and the same {@link LockListener} beans. Declare the templates as beans
 * with {@code defaultCandidate = false}.
 *
 * @since 1.0.0
 */
public final class ZookeeperLockTemplates {

	private ZookeeperLockTemplates() {
	}

	/**
	 * Connect to an ensemble.
	 * @param beans the beans of the application, including an auto-configuration of the
	 * locks
	 * @param connectString servers of the ensemble, as host:port separated by commas
	 * @return locks with the other properties under {@code lock.zookeeper}
	 * @throws LockUnavailableException if no server can be reached, or if the ensemble
	 * refuses the credentials
	 */
	public static ZookeeperLockTemplate create(BeanFactory beans, String connectString) {
		LockProperties properties = beans.getBean(LockProperties.class);
		Environment environment = beans.getBean(Environment.class);
		ZookeeperLockProperties zookeeper = ZookeeperLockProperties.bind(Binder.get(environment));
		ZookeeperLockSettings.Acl byDefault = (zookeeper.auth() != null) ? ZookeeperLockSettings.Acl.CREATOR
				: ZookeeperLockSettings.Acl.OPEN;
		ZookeeperLockSettings settings = new ZookeeperLockSettings(connectString, zookeeper.root(),
				properties.keyPrefix(), properties.defaults(environment), zookeeper.sessionTimeout(),
				zookeeper.connectionTimeout(), zookeeper.auth(),
				(zookeeper.acl() != null) ? zookeeper.acl() : byDefault, zookeeper.clientProperties());
		return new ZookeeperLockTemplate(settings, beans.getBeanProvider(LockListener.class).orderedStream().toList(),
				(client) -> beans.getBeanProvider(ZookeeperClientCustomizer.class)
					.orderedStream()
					.forEach((customizer) -> customizer.customize(client)));
	}

}
