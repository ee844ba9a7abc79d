package io.github.lockboot.faults;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.RedisServer;

/**
 * The address of the locks' servers. Its text contains no blanks, so that it can be an
 * argument of a command line.
 *
 * @param kind kind of deployment
 * @param nodes {@code host:port} of each server to connect to
 */
record Address(Kind kind, List<String> nodes) {

	/** Return the address of a server: {@code host:port}. */
	static String node(RedisServer server) {
		return server.host() + ":" + server.port();
	}

	/**
	 * Parse the result of {@link #toString}.
	 * @param text kind and nodes
	 */
	static Address parse(String text) {
		String[] words = text.split("=", 2);
		return new Address(Kind.valueOf(words[0]), List.of(words[1].split(",")));
	}

	/**
	 * Return the connection factory that an application would configure, with the
	 * workers' user. It opens no connection.
	 */
	LettuceConnectionFactory connectionFactory() {
		return switch (this.kind) {
			case STANDALONE -> new LettuceConnectionFactory(standalone());
			case CLUSTER -> new LettuceConnectionFactory(withUser(new RedisClusterConfiguration(this.nodes)));
			case DATABASE, ZOOKEEPER -> throw new IllegalStateException();
		};
	}

	/**
	 * Return the connections to the database, with the workers' user, without a pool.
	 */
	DataSource dataSource() {
		return new DriverManagerDataSource(this.nodes.get(0), DatabaseServer.USER, DatabaseServer.PASSWORD);
	}

	private RedisStandaloneConfiguration standalone() {
		String[] words = this.nodes.get(0).split(":");
		return withUser(new RedisStandaloneConfiguration(words[0], Integer.parseInt(words[1])));
	}

	private static <C extends RedisConfiguration & RedisConfiguration.WithAuthentication> C withUser(C configuration) {
		configuration.setUsername(Topology.USER);
		configuration.setPassword(RedisPassword.of(Topology.PASSWORD));
		return configuration;
	}

	@Override
	public String toString() {
		return this.kind + "=" + String.join(",", this.nodes);
	}

	/**
	 * Kinds of deployment.
	 */
	enum Kind {

		STANDALONE, CLUSTER,

		/** The node is a JDBC URL. */
		DATABASE,

		/** An ensemble of ZooKeeper. */
		ZOOKEEPER

	}

}
