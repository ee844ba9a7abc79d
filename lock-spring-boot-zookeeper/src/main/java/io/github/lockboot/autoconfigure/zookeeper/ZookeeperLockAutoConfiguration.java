package io.github.lockboot.autoconfigure.zookeeper;

import java.util.Objects;

import org.apache.curator.framework.CuratorFramework;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.autoconfigure.LockHealthContributorAutoConfiguration;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.ReactiveLockAutoConfiguration;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for locks in ZooKeeper.
 *
 * @since 1.0.0
 */
@AutoConfiguration(before = { LockHealthContributorAutoConfiguration.class, ReactiveLockAutoConfiguration.class },
		beforeName = "io.github.lockboot.autoconfigure.LocksEndpointAutoConfiguration")
@ConditionalOnClass(CuratorFramework.class)
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "lock.backend", havingValue = "zookeeper")
@EnableConfigurationProperties({ LockProperties.class, ZookeeperLockProperties.class })
public final class ZookeeperLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockOperations.class)
	ZookeeperLockTemplate zookeeperLockTemplate(BeanFactory beanFactory, LockProperties properties,
			ZookeeperLockProperties zookeeper) {
		LockSetupException.checkBackend(ZookeeperLockBackend.NAME, properties);
		try {
			return ZookeeperLockTemplates.create(beanFactory, Objects.requireNonNull(zookeeper.connectString()));
		}
		catch (LockUnavailableException | IllegalArgumentException ex) {
			throw new LockSetupException(String.valueOf(ex.getMessage()),
					"Start the ensemble, or correct the properties under lock.zookeeper. To lock within one JVM only,"
							+ " set lock.backend=local.");
		}
	}

}
