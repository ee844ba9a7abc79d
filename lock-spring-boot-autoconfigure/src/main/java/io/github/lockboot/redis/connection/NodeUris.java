package io.github.lockboot.redis.connection;

import java.util.Optional;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.util.StringUtils;

/**
 * How to connect to one node of a cluster: with the credentials and the TLS of all. What
 * a cluster's client tells of its nodes may lack them, after it has asked a node that it
 * only heard of.
 *
 * @param server the server or servers, with their credentials
 * @param client how connections are made
 */
record ServerUris(RedisConfiguration server, LettuceClientConfiguration client) {

	/** Completes an address with all that a connection needs. */
	RedisURI of(String host, int port) {
		RedisURI uri = RedisURI.create(host, port);
		uri.setSsl(this.client.isUseSsl());
		uri.setVerifyPeer(this.client.getVerifyMode());
		uri.setStartTls(this.client.isStartTls());
		uri.setDatabase(RedisConfiguration.getDatabaseOrElse(this.server, () -> 0));
		uri.setTimeout(this.client.getCommandTimeout());
		this.client.getClientName().ifPresent(uri::setClientName);
		setCredentials(uri);
		return uri;
	}

	private void setCredentials(RedisURI uri) {
		this.client.getRedisCredentialsProviderFactory()
			.ifPresentOrElse((factory) -> uri.setCredentialsProvider(factory.createCredentialsProvider(this.server)),
					() -> setPassword(uri));
	}

	private void setPassword(RedisURI uri) {
		String user = RedisConfiguration.getUsernameOrElse(this.server, () -> null);
		Optional<char[]> password = RedisConfiguration.getPasswordOrElse(this.server, RedisPassword::none).toOptional();
		if (StringUtils.hasText(user)) {
			setCredentials(uri, RedisCredentials.just(user, password.orElseGet(() -> new char[0])));
		}
		else {
			password.ifPresent((alone) -> setCredentials(uri, RedisCredentials.just(null, alone)));
		}
	}

	private static void setCredentials(RedisURI uri, RedisCredentials credentials) {
		uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> credentials));
	}

}
