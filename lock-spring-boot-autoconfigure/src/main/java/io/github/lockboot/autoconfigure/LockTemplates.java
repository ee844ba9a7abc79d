package io.github.lockboot.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.redlock.RedlockTemplate;

/**
 * Creates additional templates of an application, on other servers of Redis than the one
 * of {@code lock.backend}. These templates have the same properties under {@code lock}
 * and the same {@link LockListener} beans, such as those of the meters. Declare the
 * templates as beans with {@code defaultCandidate = false}. This class is not a bean,
 * because some stores may be missing on the class path.
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
	 * Return the factory of templates for an application.
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
		RedisLockTemplate template = new RedisLockTemplate(connection(connectionFactory), redisSettings(), listeners());
		template.awaitSubscribed();
		return template;
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
		return new RedlockTemplate(connection(connectionFactory), nodes, redisSettings().withMinReplicasAcknowledged(0),
				listeners());
	}

	private ConnectionSettings connection(RedisConnectionFactory factory) {
		return LettuceConnectionFactorySelector.customized(ConnectionSettings.of(factory), this.beans);
	}

	RedisLockSettings redisSettings() {
		LockProperties.Redis redis = this.properties.redis();
		return new RedisLockSettings(this.properties.keyPrefix(),
				this.properties.defaults(this.beans.getBean(Environment.class)), redis.commandTimeout(),
				redis.foreignClients(), redis.minReplicasAcknowledged(), redis.startup());
	}

	List<LockListener> listeners() {
		return this.beans.getBeanProvider(LockListener.class).orderedStream().toList();
	}

}
