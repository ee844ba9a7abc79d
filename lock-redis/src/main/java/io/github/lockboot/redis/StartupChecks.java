package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Refusals;

/**
 * Checks a server at startup, before the first lock needs it: the identity of the server,
 * and the permissions of the user.
 */
final class StartupChecks {

	private static final Pattern RUN_ID = Pattern.compile("(?m)^run_id:(\\w+)");

	/** A JVM that has just started may take long to read a reply. */
	private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(5);

	/** A name that no lock has. */
	private static final String NO_LOCK = " ";

	private static final Log logger = LogFactory.getLog(StartupChecks.class);

	private StartupChecks() {
	}

	/**
	 * Connect, and explain a failure.
	 * @throws LockUnavailableException if the server cannot be reached, or refuses the
	 * connection
	 */
	static RedisConnection<String> explained(Supplier<RedisConnection<String>> connect) {
		try {
			return connect.get();
		}
		catch (RedisCommandExecutionException ex) {
			throw new LockUnavailableException(null,
					"The Redis of the locks refuses the connection: " + ex.getMessage(), ex);
		}
		catch (RedisException ex) {
			throw new LockUnavailableException(null, "The Redis of the locks can't be reached: " + reason(ex), ex);
		}
	}

	/** Return the messages of a failure and of its cause, as far as they have one. */
	private static String reason(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(2)
			.map(Throwable::getMessage)
			.filter(Objects::nonNull)
			.reduce((message, cause) -> message + " (" + cause + ")")
			.orElseGet(failure::toString);
	}

	/**
	 * Check the permissions that locks need. A user without the right to publish causes
	 * only a warning, because waiters then poll. Without a reply the permissions are
	 * unknown and assumed to exist.
	 * @return whether waiters can be notified, as far as is known
	 * @throws RedisCommandExecutionException if no lock could be acquired or renewed: the
	 * message begins with {@code NOPERM} and contains the permissions, or the server is
	 * not a master with free memory
	 */
	static boolean rights(RedisConnection<String> connection, RedisLockSettings settings, boolean queues) {
		LockKeys names = new LockKeys(settings.keyPrefix());
		List<String> refused = new ArrayList<>(refused(connection, settings, names));
		boolean silent = refused.removeIf((command) -> command.endsWith("publish"));
		if (silent && queues) {
			logger.warn("Redis does not permit the locks to publish to channels '" + names.channelPrefix()
					+ "*'. Waiters poll for their locks instead of being notified. Give the user the rights '+publish &"
					+ names.channelPrefix() + "*', in a cluster '+spublish' too");
		}
		if (!refused.isEmpty()) {
			throw new RedisCommandExecutionException("NOPERM the user lacks these rights for keys '"
					+ settings.keyPrefix() + "*': +" + String.join(" +", refused));
		}
		return !silent;
	}

	private static List<String> refused(RedisConnection<String> connection, RedisLockSettings settings,
			LockKeys names) {
		String[] keys = names.of(NO_LOCK);
		CompletableFuture<List<Object>> reply = connection.run(LockScripts.RIGHTS, keys,
				connection.channels(names.channelPrefix(), keys[0]),
				Integer.toString(settings.minReplicasAcknowledged()));
		if (!FutureWait.await(reply, limit(settings))) {
			return List.of();
		}
		try {
			return reply.join().stream().map(String::valueOf).toList();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException refusal && Refusals.isLasting(refusal)) {
				throw refusal;
			}
			return List.of();
		}
	}

	/**
	 * Return the run id of a server, which is the same for every address until the server
	 * restarts; {@code null} if the user lacks the right to read the id.
	 */
	static @Nullable String runId(RedisConnection<String> connection, RedisLockSettings settings) {
		CompletableFuture<String> info = connection.serverInfo();
		if (!FutureWait.await(info, limit(settings))) {
			throw new RedisException("No reply to INFO within " + limit(settings).toMillis() + " ms");
		}
		try {
			Matcher runId = RUN_ID.matcher(info.join());
			return runId.find() ? runId.group(1) : null;
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException) {
				return null;
			}
			throw new RedisException("No reply to INFO: " + ex.getCause(), ex.getCause());
		}
	}

	private static Duration limit(RedisLockSettings settings) {
		Duration timeout = settings.commandTimeout();
		return (timeout.compareTo(SHORTEST_LIMIT) > 0) ? timeout : SHORTEST_LIMIT;
	}

}
