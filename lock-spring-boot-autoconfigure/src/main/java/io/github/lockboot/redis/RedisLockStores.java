package io.github.lockboot.redis;

import io.lettuce.core.RedisException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.Internal;
import io.github.lockboot.engine.LockClock;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.redis.transport.RedisTransport;

/**
 * Opens stores in Redis for those who build on them.
 *
 * @since 1.0.0
 */
@Internal
public final class RedisLockStores {

	private RedisLockStores() {
	}

	/**
	 * Connect to Redis, for one who lets nobody queue there.
	 * @param application whose settings are used to connect; needs no start
	 * @param clock time and timers; not closed with the store
	 * @param settings how Redis is used
	 * @return the store
	 * @throws RedisException if Redis can't be reached or refuses
	 */
	public static LockStore connect(LettuceConnectionFactory application, LockClock clock, RedisLockSettings settings) {
		return new RedisLockStore(transport(application, settings, false), clock, settings);
	}

	/**
	 * Connect to Redis, and ask what the user may do.
	 * @param queues whether callers may queue there, and are to be woken
	 */
	static RedisTransport transport(LettuceConnectionFactory application, RedisLockSettings settings, boolean queues) {
		RedisTransport transport = RedisTransport.connect(application, settings.commandTimeout(), LockScript.all());
		try {
			UserRights.check(transport, settings, queues);
			return transport;
		}
		catch (RuntimeException ex) {
			transport.close();
			throw ex;
		}
	}

}
