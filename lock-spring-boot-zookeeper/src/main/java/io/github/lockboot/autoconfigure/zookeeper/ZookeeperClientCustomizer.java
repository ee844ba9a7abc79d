package io.github.lockboot.autoconfigure.zookeeper;

import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Changes the Curator client of the locks. Any number of beans of this type are called,
 * in their order.
 *
 * @since 1.0.0
 */
@FunctionalInterface
public interface ZookeeperClientCustomizer {

	/**
	 * Change the client, for example its credentials or its threads. The servers, the
	 * session timeout and the retries are set afterwards. With credentials from here set
	 * {@code lock.zookeeper.acl} to {@code creator}, or everybody may change the locks.
	 * @param client builder of the client, with the values of {@code lock.zookeeper}
	 */
	void customize(CuratorFrameworkFactory.Builder client);

}
