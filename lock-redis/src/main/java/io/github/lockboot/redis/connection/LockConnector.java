package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.Collection;

import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Connects to the Redis of the locks.
 */
@Internal
public interface LockConnector {

	/**
	 * Connect for locks.
	 * @param applicationName prefix of the names of the connections, if any
	 * @param commandTimeout time limit for the handshake of a connection
	 * @throws RedisException if no server can be reached, or the server refuses the
	 * connection
	 */
	RedisConnection<String> connectForLocks(@Nullable String applicationName, Duration commandTimeout,
			Collection<LuaScript> scripts);

}
