package io.github.lockboot.benchmarks.peer;

import java.net.URI;
import java.util.List;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The address of the Redis of a run.
 *
 * @param host name or number of the machine
 */
public record RedisAddress(String host, int port) {

	/**
	 * Read an address.
	 * @param uri the result of {@link #uri}
	 */
	public static RedisAddress of(String uri) {
		URI address = URI.create(uri);
		return new RedisAddress(address.getHost(), address.getPort());
	}

	/**
	 * Return the address for a client.
	 * @return for example {@code redis://127.0.0.1:6379}
	 */
	public String uri() {
		return "redis://" + this.host + ":" + this.port;
	}

	/**
	 * Return a connection factory that only describes the address of Redis.
	 * @return the factory, not started
	 */
	public LettuceConnectionFactory settings() {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration(this.host, this.port));
	}

	/**
	 * Return a connection factory that only describes the address of a cluster.
	 * @return the factory of the cluster to which this address belongs, not started
	 */
	LettuceConnectionFactory clusterSettings() {
		return new LettuceConnectionFactory(new RedisClusterConfiguration(List.of(this.host + ":" + this.port)));
	}

	/**
	 * Return a connection factory like that of an application.
	 * @return the factory, started
	 */
	public LettuceConnectionFactory connectionFactory() {
		LettuceConnectionFactory factory = settings();
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
