package io.github.lockboot.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.MasterReplica;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * Chooses the connection factory whose Redis is used.
 */
@Internal
public final class LettuceConnectionFactorySelector {

	private static final boolean DETAILS_PRESENT = ClassUtils.isPresent(
			"org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
			LettuceConnectionFactorySelector.class.getClassLoader());

	private final ListableBeanFactory beanFactory;

	private final RedisFeature feature;

	public LettuceConnectionFactorySelector(ListableBeanFactory beanFactory, RedisFeature feature) {
		this.beanFactory = beanFactory;
		this.feature = feature;
	}

	public ConnectionSettings select(@Nullable String beanName) {
		RedisConnectionFactory factory = StringUtils.hasText(beanName) ? named(beanName) : onlyOne();
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			throw LockSetupException.lettuceIsNotUsed(this.feature, factory);
		}
		return ConnectionSettings.isStaticMasterReplica(lettuce)
				? new ConnectionSettings(masterReplica(), lettuce.getClientConfiguration())
				: ConnectionSettings.of(lettuce);
	}

	/** Spring Boot configures its own factory by the same bean or details. */
	private RedisConfiguration masterReplica() {
		RedisConfiguration bean = this.beanFactory.getBeanProvider(RedisStaticMasterReplicaConfiguration.class)
			.getIfUnique();
		RedisConfiguration known = (bean != null || !DETAILS_PRESENT) ? bean
				: MasterReplicaDetails.configuration(this.beanFactory);
		if (known == null) {
			throw LockSetupException.noMasterReplica(this.feature);
		}
		return known;
	}

	private RedisConnectionFactory named(String beanName) {
		try {
			return this.beanFactory.getBean(beanName, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw LockSetupException.noSuchConnectionFactory(beanName, names());
		}
	}

	private RedisConnectionFactory onlyOne() {
		try {
			return this.beanFactory.getBean(RedisConnectionFactory.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw LockSetupException.severalConnectionFactories(this.feature, names());
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw LockSetupException.noConnectionFactory(this.feature);
		}
	}

	private String names() {
		return String.join(", ", this.beanFactory.getBeanNamesForType(RedisConnectionFactory.class, true, false));
	}

	/** Not loaded before Spring Boot 4. */
	private static final class MasterReplicaDetails {

		static @Nullable RedisConfiguration configuration(ListableBeanFactory beanFactory) {
			DataRedisConnectionDetails details = beanFactory.getBeanProvider(DataRedisConnectionDetails.class)
				.getIfUnique();
			MasterReplica masterReplica = (details != null) ? details.getMasterReplica() : null;
			if (details == null || masterReplica == null) {
				return null;
			}
			List<Node> nodes = masterReplica.getNodes(); // one at least
			RedisStaticMasterReplicaConfiguration configuration = new RedisStaticMasterReplicaConfiguration(
					nodes.get(0).host(), nodes.get(0).port());
			nodes.stream().skip(1).forEach((node) -> configuration.addNode(node.host(), node.port()));
			configuration.setUsername(details.getUsername());
			configuration.setPassword(RedisPassword.of(details.getPassword()));
			return configuration;
		}

	}

}
