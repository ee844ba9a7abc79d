package io.github.lockboot.redis.connection;

import java.util.function.Supplier;

/**
 * Lets a simulation take the place of the client library, below what is only visible in
 * this package.
 */
public abstract class SimulatedSource implements ConnectionSource {

	/** Return how locks connect to a simulated server. */
	public static LockConnector connector(Supplier<SimulatedSource> source) {
		return (applicationName, commandTimeout, scripts) -> StandaloneConnection.connect(source.get(),
				new RedisConnection.ExactUtf8Codec(), scripts, commandTimeout);
	}

}
