package io.github.lockboot.redis.transport;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Makes the client of a server from Spring's settings. Only its client is used.
 */
final class AsyncConnectionFactory extends LettuceConnectionFactory {

	AsyncConnectionFactory(RedisConfiguration server, LettuceClientConfiguration settings) {
		super(server, settings);
	}

	@Override
	protected AbstractRedisClient createClient() {
		AbstractRedisClient client = super.createClient();
		return (client instanceof RedisClient single) ? AsyncRedisClient.insteadOf(single) : client;
	}

}
