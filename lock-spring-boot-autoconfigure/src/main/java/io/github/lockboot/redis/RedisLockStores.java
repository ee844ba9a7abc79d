package io.github.lockboot.redis;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * Opens stores in Redis.
 *
 * @since 1.0.0
 */
@Internal
public final class RedisLockStores {

	private static final Pattern RUN_ID = Pattern.compile("(?m)^run_id:(\\w+)");

	/** A JVM that has just started may take long to read a reply. */
	private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(5);

	private RedisLockStores() {
	}

	/**
	 * Connect to one server, where no caller queues.
	 * @param application how to connect
	 * @param clock time and timers; not closed with the store
	 * @param settings how Redis is used
	 * @param checkServer called with the run id of the server, which is the same for
	 * every address until the server restarts, or with {@code null} if the user lacks the
	 * right to read it; may throw to refuse the server
	 * @return the store
	 * @throws RedisException if Redis can't be reached or refuses
	 */
	public static LockStore connect(ConnectionSettings application, MonotonicClock clock, RedisLockSettings settings,
			Consumer<@Nullable String> checkServer) {
		return connect(application, settings, (connection) -> {
			UserRights.check(connection, settings, false);
			checkServer.accept(runId(connection, limit(settings)));
			return new RedisLockStore(connection, clock, settings);
		});
	}

	/** Connects to Redis, and checks the rights of the user. */
	static LockStore connect(ConnectionSettings application, MonotonicClock clock, RedisLockSettings settings,
			String instance) {
		return connect(application, settings, (connection) -> new RedisLockStore(connection, clock, settings, instance,
				UserRights.check(connection, settings, true)));
	}

	private static LockStore connect(ConnectionSettings application, RedisLockSettings settings,
			Function<RedisConnection<String>, LockStore> store) {
		RedisConnection<String> connection = application.connectForLocks(settings.applicationName(),
				settings.commandTimeout(), LockScripts.ALL);
		try {
			return store.apply(connection);
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	private static @Nullable String runId(RedisConnection<String> connection, Duration limit) {
		try {
			String info = connection.serverInfo().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
			Matcher runId = RUN_ID.matcher(info);
			return runId.find() ? runId.group(1) : null;
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException) {
				return null;
			}
			throw new RedisException("No reply to INFO: " + ex.getCause(), ex.getCause());
		}
	}

	/** Returns the time limit of a command at startup. */
	static Duration limit(RedisLockSettings settings) {
		Duration timeout = settings.commandTimeout();
		return (timeout.compareTo(SHORTEST_LIMIT) > 0) ? timeout : SHORTEST_LIMIT;
	}

	/** Whether Redis refuses the user or the password, which a retry does not heal. */
	public static boolean refusesCredentials(@Nullable Throwable failure) {
		if (failure == null) {
			return false;
		}
		String message = String.valueOf(failure.getMessage());
		// a cluster suppresses the failures of its nodes
		return (failure instanceof RedisCommandExecutionException
				&& Stream.of("WRONGPASS", "NOAUTH", "ERR AUTH").anyMatch(message::startsWith))
				|| refusesCredentials(failure.getCause())
				|| Stream.of(failure.getSuppressed()).anyMatch(RedisLockStores::refusesCredentials);
	}

}
