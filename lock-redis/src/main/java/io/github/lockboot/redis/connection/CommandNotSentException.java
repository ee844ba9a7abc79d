package io.github.lockboot.redis.connection;

import io.lettuce.core.RedisException;

import io.github.lockboot.Internal;

/**
 * Thrown when a command failed before it was sent. The command has certainly had no
 * effect.
 */
@Internal
@SuppressWarnings("serial")
public final class CommandNotSentException extends RedisException {

	/** Create an exception with the message of its cause. */
	public CommandNotSentException(Throwable cause) {
		super(cause.getMessage(), cause);
	}

}
