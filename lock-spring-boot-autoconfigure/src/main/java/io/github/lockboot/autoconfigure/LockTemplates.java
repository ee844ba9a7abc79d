package io.github.lockboot.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.redlock.RedlockTemplate;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

/**
 * Creates additional templates of an application, on other servers or in another store
 * than the one of {@code lock.backend}. These templates have the same properties under
 * {@code lock} and the same {@link LockListener} beans, such as those of the meters.
 * Declare the templates as beans with {@code defaultCandidate = false}. This class is not
 * a bean, because some stores may be missing on the class path.
 *
 * @since 1.0.0
 */
public final class LockTemplates {

	private final BeanFactory beans;

	private final LockProperties properties;

	private LockTemplates(BeanFactory beans) {
		this.beans = beans;
		this.properties = beans.getBean(LockProperties.class);
	}

	/**
	 * {@return the factory of templates for an application}
	 * @param beans the beans of the application, including an auto-configuration of the
	 * locks
	 */
	public static LockTemplates of(BeanFactory beans) {
		return new LockTemplates(beans);
	}

	/**
	 * Connect to another Redis.
	 * @param connectionFactory a Lettuce connection factory
	 * @return locks with the properties under {@code lock.redis}
	 * @throws IllegalArgumentException if the factory is not a Lettuce factory, or is for
	 * a static master and replicas
	 * @throws LockUnavailableException if Redis cannot be reached or refuses the
	 * connection
	 */
	public RedisLockTemplate redis(RedisConnectionFactory connectionFactory) {
		return new RedisLockTemplate(connectionFactory, redisSettings(), listeners());
	}

	/**
	 * Connect to several independent masters.
	 * @param connectionFactory a Lettuce connection factory, whose user, password,
	 * database and TLS settings are used for all masters
	 * @param nodes addresses of the masters, {@code host:port} each; three or more, an
	 * odd number
	 * @return locks with the properties under {@code lock.redis}, except those of one
	 * master and its replicas
	 * @throws IllegalArgumentException if the factory is not a Lettuce factory, or if the
	 * nodes are not as described
	 * @throws LockUnavailableException if no majority of the masters can be reached
	 */
	public RedlockTemplate redlock(RedisConnectionFactory connectionFactory, List<String> nodes) {
		RedisLockSettings settings = redisSettings();
		return new RedlockTemplate(connectionFactory, nodes,
				settings.withMinReplicasAcknowledged(0).withLockDefaults(settings.lockDefaults().withRetainTime(null)),
				listeners());
	}

	/**
	 * Lock in a database.
	 * @param dataSource opens connections; must not be the pool of the application
	 * @return locks with the properties under {@code lock.jdbc}
	 * @throws LockUnavailableException if the database cannot be reached, is not
	 * supported, is read-only, or has no valid tables
	 */
	public JdbcLockTemplate jdbc(DataSource dataSource) {
		LockProperties.Jdbc jdbc = this.properties.getJdbc();
		return new JdbcLockTemplate(dataSource, new JdbcLockSettings(this.properties.getKeyPrefix(),
				NamedLockDefaults.of(this.properties).withRetainTime(null), jdbc.getTable(), jdbc.getStatementTimeout(),
				jdbc.getInitializeSchema().isWanted(dataSource), jdbc.getStrategy()), listeners());
	}

	/**
	 * Connect to an ensemble.
	 * @param connectString servers of the ensemble, as host:port separated by commas
	 * @return locks with the other properties under {@code lock.zookeeper}
	 * @throws LockUnavailableException if no server can be reached, or if the ensemble
	 * refuses the credentials
	 */
	public ZookeeperLockTemplate zookeeper(String connectString) {
		LockProperties.Zookeeper zookeeper = this.properties.getZookeeper();
		ZookeeperLockSettings.Acl byDefault = (zookeeper.getAuth() != null) ? ZookeeperLockSettings.Acl.CREATOR
				: ZookeeperLockSettings.Acl.OPEN;
		return new ZookeeperLockTemplate(
				new ZookeeperLockSettings(connectString, zookeeper.getRoot(), this.properties.getKeyPrefix(),
						NamedLockDefaults.of(this.properties), zookeeper.getSessionTimeout(),
						zookeeper.getConnectionTimeout(), zookeeper.getAuth(),
						(zookeeper.getAcl() != null) ? zookeeper.getAcl() : byDefault, zookeeper.getClientProperties()),
				listeners());
	}

	RedisLockSettings redisSettings() {
		LockProperties.Redis redis = this.properties.getRedis();
		return new RedisLockSettings(this.properties.getKeyPrefix(), NamedLockDefaults.of(this.properties),
				redis.getCommandTimeout(), redis.isForeignClients(), redis.getMinReplicasAcknowledged(),
				redis.getStartup(), this.beans.getBean(Environment.class).getProperty("spring.application.name"));
	}

	List<LockListener> listeners() {
		return this.beans.getBeanProvider(LockListener.class).orderedStream().toList();
	}

}
