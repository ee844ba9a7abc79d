package io.github.lockboot.redis.quorum;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;

/**
 * The addresses of independent masters.
 *
 * @param addresses {@code host:port} each
 */
record QuorumNodes(List<String> addresses) {

	QuorumNodes {
		addresses = List.copyOf(addresses);
		int count = addresses.size();
		Assert.isTrue(count >= 3 && count % 2 == 1,
				() -> "Redlock needs an odd number of masters, three or more, but there are " + count);
		Assert.isTrue(Set.copyOf(addresses).size() == count, "A master of Redlock is named twice");
		addresses.forEach(QuorumNodes::node);
	}

	/**
	 * Return how to connect to each of them.
	 * @param application whose user, password, database and client are used
	 * @return factories that are not started
	 */
	List<LettuceConnectionFactory> factories(LettuceConnectionFactory application) {
		return this.addresses.stream().map(QuorumNodes::node).map((node) -> factory(node, application)).toList();
	}

	private static RedisNode node(String address) {
		try {
			RedisNode node = RedisNode.fromString(address);
			Assert.isTrue(node.getHost() != null && node.getPort() != null, "host or port is missing");
			return node;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"A master of Redlock is named by 'host:port', but one is '" + address + "'", ex);
		}
	}

	private static LettuceConnectionFactory factory(RedisNode node, LettuceConnectionFactory application) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(node.getRequiredHost(),
				node.getRequiredPort());
		server.setDatabase(application.getDatabase());
		server.setUsername(user(application));
		String password = application.getPassword();
		if (password != null) {
			server.setPassword(password);
		}
		return new LettuceConnectionFactory(server, application.getClientConfiguration());
	}

	private static @Nullable String user(LettuceConnectionFactory application) {
		RedisConfiguration configuration = application.getClusterConfiguration();
		if (configuration == null) {
			configuration = application.getSentinelConfiguration();
		}
		if (configuration == null) {
			configuration = application.getStandaloneConfiguration();
		}
		return RedisConfiguration.getUsernameOrElse(configuration, () -> null);
	}

}
