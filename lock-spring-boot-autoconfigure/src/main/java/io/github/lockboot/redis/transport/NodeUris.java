package io.github.lockboot.redis.transport;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.util.StringUtils;

/**
 * How to connect to a single node of a cluster: with the credentials and the TLS of all.
 * What a cluster's client tells of its nodes may lack them, after it has asked a node
 * that it only heard of.
 *
 * @param cluster the cluster, with its credentials
 * @param client how connections are made
 */
record NodeUris(RedisClusterConfiguration cluster, LettuceClientConfiguration client) {

	/**
	 * Complete an address.
	 * @param node has host and port
	 * @return the same with all that a connection needs
	 */
	RedisURI of(RedisURI node) {
		RedisURI uri = RedisURI.create(node.getHost(), node.getPort());
		uri.setSsl(this.client.isUseSsl());
		uri.setVerifyPeer(this.client.getVerifyMode());
		uri.setStartTls(this.client.isStartTls());
		uri.setTimeout(this.client.getCommandTimeout());
		this.client.getClientName().ifPresent(uri::setClientName);
		setCredentials(uri);
		return uri;
	}

	private void setCredentials(RedisURI uri) {
		this.client.getRedisCredentialsProviderFactory()
			.ifPresentOrElse((factory) -> uri.setCredentialsProvider(factory.createCredentialsProvider(this.cluster)),
					() -> this.cluster.getPassword().toOptional().ifPresent((password) -> setPassword(uri, password)));
	}

	private void setPassword(RedisURI uri, char[] password) {
		String user = this.cluster.getUsername();
		uri.setCredentialsProvider(RedisCredentialsProvider
			.from(() -> RedisCredentials.just(StringUtils.hasText(user) ? user : null, password)));
	}

}
