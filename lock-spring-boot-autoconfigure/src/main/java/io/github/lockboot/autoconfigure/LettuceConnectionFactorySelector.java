package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.MasterReplica;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.autoconfigure.store.RedisFeature;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.OwnLettuceFactory;

/**
 * Chooses the connection factory whose Redis is used from those of the application.
 */
@Internal
public record LettuceConnectionFactorySelector(ListableBeanFactory beanFactory, RedisFeature feature) {

	private static final boolean DETAILS_PRESENT = ClassUtils.isPresent(
			"org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
			LettuceConnectionFactorySelector.class.getClassLoader());

	/**
	 * Create a template with the settings of the connection factory of that name, or of
	 * the only or primary factory. If that factory belongs to another client that Spring
	 * Boot or Redisson has configured, a separate Lettuce factory is used.
	 * @throws LockSetupException if there is no usable factory
	 */
	public <T> T connect(@Nullable String beanName, Function<ConnectionSettings, T> template) {
		RedisConnectionFactory factory = StringUtils.hasText(beanName) ? named(beanName) : onlyOne();
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			throw failure(
					" Lettuce as the Redis client, but the application's connection factory is a "
							+ factory.getClass().getName() + reason() + ".",
					lettuceFor(factory) + ", or " + this.feature.alternative() + ".");
		}
		ConnectionSettings settings = ConnectionSettings.isStaticMasterReplica(lettuce)
				? new ConnectionSettings(masterReplica(), lettuce.getClientConfiguration())
				: ConnectionSettings.of(lettuce);
		try {
			return template.apply(customized(settings, this.beanFactory));
		}
		catch (IllegalArgumentException ex) {
			throw new LockSetupException(ex.getMessage() + ".",
					"Name a LettuceConnectionFactory bean for such a Redis in lock.redis.connection-factory, or "
							+ this.feature.alternative() + ".");
		}
	}

	/** Return the settings with the changes of all customizers. */
	static ConnectionSettings customized(ConnectionSettings settings, BeanFactory beans) {
		List<LettuceClientCustomizer> customizers = beans.getBeanProvider(LettuceClientCustomizer.class)
			.orderedStream()
			.toList();
		return settings.with((resources) -> customizers.forEach((customizer) -> customizer.customize(resources)),
				(options) -> customizers.forEach((customizer) -> customizer.customize(options)));
	}

	private String reason() {
		String client = this.beanFactory.getBean(Environment.class).getProperty("spring.data.redis.client-type");
		return "jedis".equalsIgnoreCase(client) ? ", by spring.data.redis.client-type=" + client : "";
	}

	/**
	 * Return how to switch to Lettuce. Spring Boot's property chooses only between the
	 * two clients that it configures.
	 */
	private static String lettuceFor(RedisConnectionFactory factory) {
		return factory.getClass().getName().startsWith("org.springframework.")
				? "Set spring.data.redis.client-type=lettuce, or name a LettuceConnectionFactory bean in lock.redis.connection-factory"
				: "Define a LettuceConnectionFactory bean, as @Bean(defaultCandidate = false) next to the existing one,"
						+ " and name it in lock.redis.connection-factory";
	}

	/**
	 * Return the servers of a static master and replicas. Spring Boot configures its own
	 * factory with the same bean or connection details.
	 */
	private RedisConfiguration masterReplica() {
		RedisConfiguration bean = this.beanFactory.getBeanProvider(RedisStaticMasterReplicaConfiguration.class)
			.getIfUnique();
		RedisConfiguration known = (bean != null || !DETAILS_PRESENT) ? bean
				: MasterReplicaDetails.configuration(this.beanFactory);
		if (known == null) {
			throw failure(
					" the servers of the static master and replicas, which the connection factory does not expose.",
					"Set spring.data.redis.masterreplica.nodes, or define one bean of the type"
							+ " RedisStaticMasterReplicaConfiguration and create the connection factory from it.");
		}
		return known;
	}

	private RedisConnectionFactory named(String beanName) {
		try {
			return this.beanFactory.getBean(beanName, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw new LockSetupException(
					"The property lock.redis.connection-factory names '" + beanName
							+ "', which is not a RedisConnectionFactory bean.",
					"Name one of these beans: " + (names().isEmpty() ? "(there is none)" : names()) + ".");
		}
	}

	private RedisConnectionFactory onlyOne() {
		try {
			RedisConnectionFactory only = this.beanFactory.getBean(RedisConnectionFactory.class);
			LettuceConnectionFactory own = (only instanceof LettuceConnectionFactory) ? null : own();
			return (own != null) ? own : only;
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw failure(" one RedisConnectionFactory, but there are several such beans and none is primary: "
					+ names() + ".", "Name one of them in lock.redis.connection-factory, or mark one as @Primary.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			LettuceConnectionFactory own = own();
			if (own != null) {
				return own;
			}
			throw failure(" a RedisConnectionFactory bean, but there is none.",
					"Configure Redis under spring.data.redis without excluding its auto-configuration, or "
							+ this.feature.alternative() + ".");
		}
	}

	private @Nullable LettuceConnectionFactory own() {
		return new OwnLettuceFactory((ConfigurableListableBeanFactory) this.beanFactory).create(this.feature.users(),
				factories());
	}

	private List<String> factories() {
		return List.of(this.beanFactory.getBeanNamesForType(RedisConnectionFactory.class, true, false));
	}

	private String names() {
		return String.join(", ", factories());
	}

	private LockSetupException failure(String need, String action) {
		return new LockSetupException(this.feature.needs() + need, action);
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
			List<Node> nodes = masterReplica.getNodes(); // at least one
			RedisStaticMasterReplicaConfiguration configuration = new RedisStaticMasterReplicaConfiguration(
					nodes.get(0).host(), nodes.get(0).port());
			nodes.stream().skip(1).forEach((node) -> configuration.addNode(node.host(), node.port()));
			configuration.setUsername(details.getUsername());
			configuration.setPassword(RedisPassword.of(details.getPassword()));
			return configuration;
		}

	}

}
