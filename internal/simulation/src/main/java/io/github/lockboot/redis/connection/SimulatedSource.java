package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;

/**
 * Lets a simulation take the place of the client library, below what is only visible in
 * this package.
 */
public abstract class SimulatedSource implements ConnectionSource {

	/**
	 * Return how locks connect to a simulated server.
	 * @param loads whether to load the scripts, which the server may already know
	 */
	public static LockConnector connector(Supplier<SimulatedSource> source, boolean loads) {
		return (applicationName, commandTimeout, scripts) -> StandaloneConnection.connect(source.get(),
				new RedisConnection.ExactUtf8Codec(), loads ? scripts : List.of(), commandTimeout);
	}

	/** Return how the cache connects to a simulated server for some scripts. */
	public static Function<Collection<LuaScript>, RedisConnection<byte[]>> cacheConnector(
			Supplier<SimulatedSource> source) {
		return (scripts) -> StandaloneConnection.connect(source.get(),
				RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE), scripts, Duration.ofSeconds(1));
	}

}
