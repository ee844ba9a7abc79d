package io.github.lockboot.redis.redlock;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.util.Assert;

import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * The addresses of independent masters.
 *
 * @param addresses {@code host:port} each
 */
record RedlockNodes(List<String> addresses) {

	RedlockNodes {
		addresses = List.copyOf(addresses);
		int count = addresses.size();
		Assert.isTrue(count >= 3 && count % 2 == 1,
				() -> "Redlock needs an odd number of masters, three or more, but there are " + count);
		Assert.isTrue(Set.copyOf(addresses).size() == count,
				"Redlock needs distinct masters, but one is configured twice");
		addresses.forEach(RedlockNodes::node);
	}

	/**
	 * Returns how to connect to each master: with the user, password, database and client
	 * of the application.
	 */
	List<ConnectionSettings> settings(ConnectionSettings application) {
		return this.addresses.stream().map(RedlockNodes::node).map((node) -> settings(node, application)).toList();
	}

	private static RedisNode node(String address) {
		try {
			RedisNode node = RedisNode.fromString(address);
			Assert.isTrue(node.getHost() != null && node.getPort() != null, "host or port is missing");
			return node;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"The address of a Redlock master has the form 'host:port' but is '" + address + "'", ex);
		}
	}

	private static ConnectionSettings settings(RedisNode node, ConnectionSettings application) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(Objects.requireNonNull(node.getHost()),
				Objects.requireNonNull(node.getPort()));
		server.setDatabase(RedisConfiguration.getDatabaseOrElse(application.server(), () -> 0));
		server.setUsername(RedisConfiguration.getUsernameOrElse(application.server(), () -> null));
		server.setPassword(RedisConfiguration.getPasswordOrElse(application.server(), RedisPassword::none));
		return new ConnectionSettings(server, application.client());
	}

}
