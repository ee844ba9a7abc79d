package io.github.lockboot.redis;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.connection.RedisConnection;

/**
 * What a server calls itself, whichever address leads to it.
 */
final class ServerName {

	private static final Pattern RUN_ID = Pattern.compile("(?m)^run_id:(\\w+)");

	private ServerName() {
	}

	/**
	 * Ask the server.
	 * @param connection the connection to it
	 * @param limit how long to wait
	 * @return the name, or {@code null} if the user may not ask or the server has none
	 * @throws RedisException if it does not answer
	 */
	static @Nullable String ask(RedisConnection<String> connection, Duration limit) {
		try {
			Matcher name = RUN_ID.matcher(connection.serverInfo().get(limit.toMillis(), TimeUnit.MILLISECONDS));
			return name.find() ? name.group(1) : null;
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException) {
				return null;
			}
			throw new RedisException(ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new RedisCommandTimeoutException("No answer to INFO within " + limit.toMillis() + " ms");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RedisCommandInterruptedException(ex);
		}
	}

}
