package io.github.lockboot.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisCommandExecutionException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.redis.connection.RedisConnection;

/**
 * Checks the permissions of the Redis user at startup, before the first lock needs them.
 */
final class UserRights {

	/** Not the name of any lock. */
	private static final String NO_LOCK = " ";

	private static final Log logger = LogFactory.getLog(UserRights.class);

	private UserRights() {
	}

	/**
	 * Checks the permissions that locks need. A user that may not publish causes only a
	 * warning, because waiters poll then. Without a reply the permissions are unknown,
	 * and assumed.
	 * @param queues whether there are waiters to notify
	 * @return whether waiters can be notified, as far as is known
	 * @throws RedisCommandExecutionException if no lock could be acquired or renewed; the
	 * message begins with {@code NOPERM} and contains the permissions
	 */
	static boolean check(RedisConnection<String> connection, RedisLockSettings settings, boolean queues) {
		LockKeys names = new LockKeys(settings.keyPrefix());
		List<String> refused = new ArrayList<>(refused(connection, settings, names));
		boolean silent = refused.removeIf((command) -> command.endsWith("publish"));
		if (silent && queues) {
			logger.warn("Redis does not permit the locks to publish to channels '" + names.channelPrefix()
					+ "*'; waiters poll for their locks instead of being notified. Give the user the rights '+publish &"
					+ names.channelPrefix() + "*', in a cluster '+spublish' too");
		}
		if (!refused.isEmpty()) {
			throw new RedisCommandExecutionException("NOPERM the user lacks these rights on keys '"
					+ settings.keyPrefix() + "*': +" + String.join(" +", refused));
		}
		return !silent;
	}

	private static List<String> refused(RedisConnection<String> connection, RedisLockSettings settings,
			LockKeys names) {
		String[] keys = names.of(NO_LOCK);
		try {
			return connection
				.run(LockScripts.RIGHTS, keys, connection.channels(names.channelPrefix(), keys[0]),
						Integer.toString(settings.minReplicasAcknowledged()))
				.orTimeout(RedisLockStores.limit(settings).toMillis(), TimeUnit.MILLISECONDS)
				.join()
				.stream()
				.map(String::valueOf)
				.toList();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException refusal
					&& String.valueOf(refusal.getMessage()).startsWith("NOPERM")) {
				throw refusal;
			}
			return List.of();
		}
	}

}
