package io.github.lockboot.redis.redlock;

import java.util.List;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * Locks on several masters like those of a {@link RedlockTemplate}, with a clock of the
 * test.
 */
public final class ClockedRedlock {

	private ClockedRedlock() {
	}

	/**
	 * Connect to the masters.
	 * @param application the application's connection factory
	 * @param nodes addresses of the masters
	 * @param settings how each Redis is used
	 * @param clock time and timers; closed with the template
	 * @param listeners notified of events
	 * @return the template
	 */
	public static LockTemplate of(LettuceConnectionFactory application, List<String> nodes, RedisLockSettings settings,
			MonotonicClock clock, List<LockListener> listeners) {
		return new LockTemplate(RedlockConnector
			.connect(RedlockConnector.nodes(nodes, ConnectionSettings.of(application)), clock, settings), clock,
				settings.lockDefaults(), listeners);
	}

}
