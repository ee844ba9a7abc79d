package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.lettuce.core.RedisCommandExecutionException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.redis.connection.RedisConnection;

/**
 * What the user of Redis may do, asked when an application starts and not by its first
 * lock.
 */
final class UserRights {

	/** Begins the message of Redis for what a user may not do. */
	private static final String REFUSAL = "NOPERM";

	/** A JVM that has just started may take long to read an answer. */
	private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(5);

	/** Blank: no lock can have this name. */
	private static final String NO_LOCK = " ";

	private static final Log logger = LogFactory.getLog(UserRights.class);

	private UserRights() {
	}

	/**
	 * Ask Redis whether locks can do without further rights. That waiters can't be woken
	 * is a warning only, because they poll then. If Redis does not answer now, nothing is
	 * known and nothing is said.
	 * @param connection the connection
	 * @param settings how Redis is used
	 * @param queues whether there are waiters to be woken
	 * @return whether waiters can be woken, as far as is known
	 * @throws RedisCommandExecutionException if no lock could be taken or kept; the
	 * message begins with {@code NOPERM} and names the rights
	 */
	static boolean check(RedisConnection<String> connection, RedisLockSettings settings, boolean queues) {
		LockKeys names = new LockKeys(settings.keyPrefix());
		String[] keys = names.of(NO_LOCK);
		List<String> refused = new ArrayList<>(refused(connection, settings, keys, names.channelPrefix()));
		boolean silent = refused.removeIf((command) -> command.endsWith("publish"));
		if (silent && queues) {
			logger.warn("Redis does not let the locks publish to channels '" + names.channelPrefix()
					+ "*'; waiters poll for their locks instead of being woken. Give the user the rights '+publish &"
					+ names.channelPrefix() + "*', in a cluster '+spublish' too");
		}
		if (!refused.isEmpty()) {
			throw new RedisCommandExecutionException(
					REFUSAL + " the user lacks these rights on keys '" + settings.keyPrefix() + "*': "
							+ refused.stream().map("+"::concat).collect(Collectors.joining(" ")));
		}
		return !silent;
	}

	private static List<String> refused(RedisConnection<String> connection, RedisLockSettings settings, String[] keys,
			String channelPrefix) {
		try {
			return connection
				.run(LockScript.RIGHTS.script(), keys, connection.channels(channelPrefix, keys[0]),
						Integer.toString(settings.minReplicasAcknowledged()))
				.get(limit(settings).toMillis(), TimeUnit.MILLISECONDS)
				.stream()
				.map(String::valueOf)
				.toList();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException failure && isRefusal(failure)) {
				throw failure;
			}
			return List.of();
		}
		catch (TimeoutException ex) {
			return List.of();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return List.of();
		}
	}

	/** How long to wait for what is asked at the start. */
	static Duration limit(RedisLockSettings settings) {
		Duration timeout = settings.commandTimeout();
		return (timeout.compareTo(SHORTEST_LIMIT) > 0) ? timeout : SHORTEST_LIMIT;
	}

	private static boolean isRefusal(RedisCommandExecutionException failure) {
		return String.valueOf(failure.getMessage()).startsWith(REFUSAL);
	}

}
