package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;

/**
 * Connects the classes under test to servers of the fixture.
 */
final class RedisConnections {

	private RedisConnections() {
	}

	/** Return a template with the default settings. */
	static RedisLockTemplate template(LettuceConnectionFactory application) {
		return new RedisLockTemplate(application, RedisLockSettings.defaults(), List.of());
	}

	/** Return a template with locks that a number of replicas acknowledge. */
	static RedisLockTemplate template(LettuceConnectionFactory application, int replicas) {
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withCommandTimeout(Duration.ofSeconds(2))
			.withMinReplicasAcknowledged(replicas);
		return new RedisLockTemplate(application, settings, List.of());
	}

	/** Return a store with the default settings, but longer timeouts. */
	static LockStore store(RedisServer server, MonotonicClock clock) {
		return store(Applications.of(server), clock);
	}

	/** Return a store with the default settings, but longer timeouts. */
	static LockStore store(LettuceConnectionFactory application, MonotonicClock clock) {
		return store(application, RedisLockSettings.defaults().withCommandTimeout(Duration.ofSeconds(5)), clock);
	}

	/** Return a store that is connected. */
	static LockStore store(LettuceConnectionFactory application, RedisLockSettings settings, MonotonicClock clock) {
		RedisLockStore store = new RedisLockStore("Redis", LockStore.newInstance(),
				Connections.forLocks(ConnectionSettings.of(application)), clock, settings, null);
		store.connection().begin();
		try {
			store.awaitConnected();
			return store;
		}
		catch (RuntimeException ex) {
			store.close(); // which ends its retries
			throw ex;
		}
	}

	/** Return the names of the channels with subscribed JVMs. */
	static Set<String> channels(RedisServer server) {
		return Set.copyOf(server.list("PUBSUB", "CHANNELS"));
	}

}
