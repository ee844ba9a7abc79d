package io.github.lockboot.redis;

import java.util.List;
import java.util.function.UnaryOperator;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore;

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
		return of(application, settings, clock, listeners, UnaryOperator.identity());
	}

	static LockTemplate of(LettuceConnectionFactory application, RedisLockSettings settings, MonotonicClock clock,
			List<LockListener> listeners, UnaryOperator<LockStore> before) {
		LockStore store = before.apply(RedisConnections.store(application, settings, clock));
		return new LockTemplate(store, clock, settings.lockDefaults(), listeners);
	}

}
