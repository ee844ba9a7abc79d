package io.github.lockboot.redis.connection;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;
import org.springframework.util.StringUtils;

/**
 * The URIs of a server, of a master that Sentinels name, and of the nodes of a cluster,
 * with the credentials and the TLS of the application. The URIs of a
 * {@code RedisClusterClient} may lack these settings, and the URI of a
 * {@code RedisClient} cannot be read.
 */
record NodeUris(RedisConfiguration server, LettuceClientConfiguration client) {

	/** Return the URI of the configured server, which is no cluster. */
	RedisURI ofServer() {
		if (this.server instanceof RedisSentinelConfiguration sentinels) {
			return ofMaster(sentinels);
		}
		if (this.server instanceof RedisConfiguration.WithDomainSocket file) {
			RedisURI uri = RedisURI.Builder.socket(file.getSocket()).build();
			setName(uri);
			setUser(uri);
			return uri;
		}
		return of(RedisConfiguration.getHostOrElse(this.server, () -> "localhost"),
				RedisConfiguration.getPortOrElse(this.server, () -> RedisURI.DEFAULT_REDIS_PORT));
	}

	RedisURI of(String host, int port) {
		RedisURI uri = RedisURI.create(host, port);
		setOptions(uri);
		setUser(uri);
		return uri;
	}

	/** Return the URI of the master, as Spring Data makes it. */
	RedisURI ofMaster(RedisSentinelConfiguration sentinels) {
		RedisURI uri = LettuceConverters.sentinelConfigurationToRedisURI(sentinels);
		setOptions(uri);
		uri.getSentinels().forEach(this::setOptions);
		uri.setDatabase(sentinels.getDatabase());
		this.client.getRedisCredentialsProviderFactory().ifPresent((factory) -> {
			uri.setCredentialsProvider(factory.createCredentialsProvider(sentinels));
			RedisCredentialsProvider provider = factory.createSentinelCredentialsProvider(sentinels);
			uri.getSentinels().forEach((sentinel) -> sentinel.setCredentialsProvider(provider));
		});
		return uri;
	}

	private void setOptions(RedisURI uri) {
		uri.setSsl(this.client.isUseSsl());
		uri.setVerifyPeer(this.client.getVerifyMode());
		uri.setStartTls(this.client.isStartTls());
		setName(uri);
	}

	private void setName(RedisURI uri) {
		uri.setTimeout(this.client.getCommandTimeout());
		this.client.getClientName().ifPresent(uri::setClientName);
	}

	private void setUser(RedisURI uri) {
		uri.setDatabase(RedisConfiguration.getDatabaseOrElse(this.server, () -> 0));
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
