package io.github.lockboot.redis.connection;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.util.StringUtils;

/**
 * The URIs of the nodes of a cluster, with the credentials and the TLS of the
 * application. The URIs of a {@code RedisClusterClient} may lack these settings.
 */
record NodeUris(RedisConfiguration server, LettuceClientConfiguration client) {

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
		RedisPassword password = RedisConfiguration.getPasswordOrElse(this.server, RedisPassword::none);
		if (StringUtils.hasText(user) || password.isPresent()) {
			RedisCredentials credentials = RedisCredentials.just(StringUtils.hasText(user) ? user : null,
					password.toOptional().orElseGet(() -> new char[0]));
			uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> credentials));
		}
	}

}
