package io.github.lockboot.redis;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.RedisConnection;

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
	 * Connect to one server, for one who lets nobody queue there, and ask what it calls
	 * itself.
	 * @param application how to connect
	 * @param clock time and timers; not closed with the store
	 * @param settings how Redis is used
	 * @param onServer told the name, the same by every address until the server restarts,
	 * or {@code null} if the user may not ask; what it throws refuses the server
	 * @return the store
	 * @throws RedisException if Redis can't be reached or refuses
	 */
	public static LockStore connect(ConnectionSettings application, MonotonicClock clock, RedisLockSettings settings,
			Consumer<@Nullable String> onServer) {
		RedisConnection<String> connection = connect(application, settings);
		try {
			UserRights.check(connection, settings, false);
			onServer.accept(ServerName.ask(connection, UserRights.limit(settings)));
			return new RedisLockStore(connection, clock, settings);
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	private static RedisConnection<String> connect(ConnectionSettings application, RedisLockSettings settings) {
		return application.connectForLocks(settings.applicationName(), settings.commandTimeout(), LockScript.all());
	}

	/** Whether Redis knows no such user or password, which no waiting heals. */
	public static boolean refusesCredentials(@Nullable Throwable failure) {
		if (failure == null) {
			return false;
		}
		String answer = String.valueOf(failure.getMessage());
		return (failure instanceof RedisCommandExecutionException
				&& Stream.of("WRONGPASS", "NOAUTH", "ERR AUTH").anyMatch(answer::startsWith))
				|| refusesCredentials(failure.getCause())
				|| Stream.of(failure.getSuppressed()).anyMatch(RedisLockStores::refusesCredentials); // of
																										// a
																										// cluster
	}

	/**
	 * Connect to Redis, and ask what the user may do.
	 * @param instance name of this JVM
	 * @return makes the store
	 */
	static Function<MonotonicClock, LockStore> connect(ConnectionSettings application, RedisLockSettings settings,
			String instance) {
		RedisConnection<String> connection = connect(application, settings);
		try {
			boolean publishes = UserRights.check(connection, settings, true);
			return (clock) -> new RedisLockStore(connection, clock, settings, instance, publishes);
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

}
