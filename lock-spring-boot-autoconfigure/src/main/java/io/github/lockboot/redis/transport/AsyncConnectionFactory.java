package io.github.lockboot.redis.transport;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A factory whose client for a standalone server is an {@link AsyncRedisClient}. For
 * other servers it is the one that Spring Data makes.
 */
final class AsyncConnectionFactory extends LettuceConnectionFactory {

	private final RedisConfiguration server;

	private final PrivateClientConfiguration client;

	AsyncConnectionFactory(RedisConfiguration server, PrivateClientConfiguration client) {
		super(server, client);
		this.server = server;
		this.client = client;
	}

	@Override
	protected AbstractRedisClient createClient() {
		if (!(this.server instanceof RedisStandaloneConfiguration standalone)) {
			return super.createClient();
		}
		RedisURI uri = new ServerUris(standalone, this.client).of(standalone.getHostName(), standalone.getPort());
		return new AsyncRedisClient(this.client.resources(), uri, this.client.options());
	}

}
