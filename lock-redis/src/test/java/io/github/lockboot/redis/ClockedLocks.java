package io.github.lockboot.redis;

import java.util.List;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;

/**
 * Locks on Redis like those of a {@link RedisLockTemplate}, with a clock of the test.
 */
public final class ClockedLocks {

	private ClockedLocks() {
	}

	/**
	 * Connect to Redis.
	 * @param application the application's connection factory
	 * @param settings how Redis is used
	 * @param clock time and timers; closed with the template
	 * @param listeners notified of events
	 * @return the template
	 */
	public static LockTemplate of(LettuceConnectionFactory application, RedisLockSettings settings,
			MonotonicClock clock, List<LockListener> listeners) {
		return new LockTemplate(RedisConnections.store(application, settings, clock), clock, settings.lockDefaults(),
				listeners);
	}

}
