package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Function;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * Creates the store of a cache above a simulated connection.
 */
@NullMarked
public final class SimulatedStore {

	private SimulatedStore() {
	}

	/**
	 * Create a store, without connecting.
	 * @param instance letters and digits that no other JVM has
	 * @param memory how long the time of an evict is kept
	 */
	public static CacheStore create(Function<Collection<LuaScript>, RedisConnection<byte[]>> connector, String instance,
			CacheKeys keys, Duration commandTimeout, Duration memory, MonotonicClock clock) {
		return new CacheStore(connector, instance, keys, commandTimeout, memory, clock);
	}

}
