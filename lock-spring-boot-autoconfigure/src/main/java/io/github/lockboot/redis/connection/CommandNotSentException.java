package io.github.lockboot.redis.connection;

import io.lettuce.core.RedisException;

import io.github.lockboot.Internal;

/**
 * A command failed before it was sent, and will not be sent any more: it has certainly
 * had no effect.
 *
 * @since 1.0.0
 */
@Internal
@SuppressWarnings("serial")
public final class CommandNotSentException extends RedisException {

	/**
	 * Create the exception.
	 * @param cause why the command was not sent; its message is told
	 */
	public CommandNotSentException(Throwable cause) {
		super(cause.getMessage(), cause);
	}

}
