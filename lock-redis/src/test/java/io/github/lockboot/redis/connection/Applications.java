package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.Collection;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisServer;

/**
 * Connection factories of applications, which open no connection themselves.
 */
public final class Applications {

	private Applications() {
	}

	/** Connect as locks do. */
	public static RedisConnection<String> connect(LettuceConnectionFactory application, Duration commandTimeout,
			Collection<LuaScript> scripts) {
		return Connections.forLocks(ConnectionSettings.of(application)).connectForLocks(null, commandTimeout, scripts);
	}

	public static LettuceConnectionFactory of(RedisServer server) {
		return at(server.host(), server.port());
	}

	public static LettuceConnectionFactory at(String host, int port) {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port));
	}

	public static LettuceConnectionFactory of(RedisCluster cluster) {
		return new LettuceConnectionFactory(new RedisClusterConfiguration(cluster.nodes()));
	}

	public static LettuceConnectionFactory of(RedisServer server, String user, String password) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(server.host(), server.port());
		configuration.setUsername(user);
		configuration.setPassword(password);
		return new LettuceConnectionFactory(configuration);
	}

}
