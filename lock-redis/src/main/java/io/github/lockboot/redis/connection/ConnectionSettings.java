package io.github.lockboot.redis.connection;

import java.util.function.Consumer;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.resource.ClientResources;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;

import io.github.lockboot.Internal;

/**
 * How an application connects to its Redis.
 *
 * @param server the server or servers, with their credentials
 * @param client TLS, client options and everything else that all servers have in common
 * @param resources changes the resources of the library's own client
 * @param options changes the options of the library's own client
 */
@Internal
public record ConnectionSettings(RedisConfiguration server, LettuceClientConfiguration client,
		Consumer<ClientResources.Builder> resources, Consumer<ClientOptions.Builder> options) {

	public ConnectionSettings(RedisConfiguration server, LettuceClientConfiguration client) {
		this(server, client, (resources) -> {
		}, (options) -> {
		});
	}

	/**
	 * Read the settings of a connection factory, which need not be started.
	 * @throws IllegalArgumentException if the factory is not a Lettuce factory, or is for
	 * a static master and replicas, whose servers it does not expose
	 */
	public static ConnectionSettings of(RedisConnectionFactory factory) {
		Assert.isInstanceOf(LettuceConnectionFactory.class, factory,
				"Locks and cache on Redis need Lettuce. Add 'io.lettuce:lettuce-core' and let the connection factory be a LettuceConnectionFactory.");
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) factory;
		Assert.isTrue(!isStaticMasterReplica(lettuce),
				"A LettuceConnectionFactory for a static master and replicas does not expose its servers. Declare them by"
						+ " a bean of the type RedisStaticMasterReplicaConfiguration, or use the constructor that takes it");
		return new ConnectionSettings(server(lettuce), lettuce.getClientConfiguration());
	}

	/** Return how to connect to another server in the same way. */
	public ConnectionSettings withServer(RedisConfiguration server) {
		return new ConnectionSettings(server, this.client, this.resources, this.options);
	}

	/** Return these settings with changes of the library's own client. */
	public ConnectionSettings with(Consumer<ClientResources.Builder> resources,
			Consumer<ClientOptions.Builder> options) {
		return new ConnectionSettings(this.server, this.client, resources, options);
	}

	/**
	 * Return whether a factory is for a static master and replicas. Such a factory
	 * exposes the default server, but its client has no address.
	 */
	public static boolean isStaticMasterReplica(LettuceConnectionFactory factory) {
		if (!(server(factory) instanceof RedisStandaloneConfiguration standalone) || !isDefault(standalone)) {
			return false;
		}
		boolean running = factory.isRunning();
		if (!running) {
			factory.start();
		}
		try {
			return !hasAddress((RedisClient) factory.getRequiredNativeClient());
		}
		finally {
			if (!running) {
				factory.stop();
			}
		}
	}

	private static boolean isDefault(RedisStandaloneConfiguration server) {
		RedisStandaloneConfiguration byDefault = new RedisStandaloneConfiguration();
		return server.getHostName().equals(byDefault.getHostName()) && server.getPort() == byDefault.getPort();
	}

	/**
	 * Return whether a client has an address, without a connection: the client checks
	 * first its address, and then the codec.
	 */
	private static boolean hasAddress(RedisClient client) {
		try {
			client.connect((RedisCodec<?, ?>) null);
			return true;
		}
		catch (IllegalArgumentException ex) {
			return true;
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

	private static RedisConfiguration server(LettuceConnectionFactory factory) {
		if (factory.getClusterConfiguration() != null) {
			return factory.getClusterConfiguration();
		}
		if (factory.getSentinelConfiguration() != null) {
			return factory.getSentinelConfiguration();
		}
		if (factory.getSocketConfiguration() != null) {
			return factory.getSocketConfiguration();
		}
		return standalone(factory);
	}

	/**
	 * Return the configuration of a standalone server. A factory that was created from a
	 * {@link RedisConfiguration} of another type, such as the one that
	 * {@link LettuceConnectionFactory#createRedisConfiguration(String)} returns, exposes
	 * only some properties of its standalone server.
	 */
	private static RedisConfiguration standalone(LettuceConnectionFactory factory) {
		RedisStandaloneConfiguration exposed = factory.getStandaloneConfiguration();
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(factory.getHostName(),
				factory.getPort());
		server.setDatabase(factory.getDatabase());
		server.setPassword(factory.getPassword());
		server.setUsername(exposed.getUsername());
		return server.equals(exposed) ? exposed : server;
	}

}
