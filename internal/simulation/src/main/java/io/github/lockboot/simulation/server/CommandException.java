package io.github.lockboot.simulation.server;

import java.util.Objects;

/**
 * A command is refused with an error.
 */
final class CommandException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	CommandException(String text) {
		super(text, null, false, false);
	}

	static CommandException wrongType() {
		return new CommandException("WRONGTYPE Operation against a key holding the wrong kind of value");
	}

	static CommandException notAnInteger() {
		return new CommandException("ERR value is not an integer or out of range");
	}

	static CommandException syntax() {
		return new CommandException("ERR syntax error");
	}

	RedisError reply() {
		return new RedisError(Objects.requireNonNull(getMessage()));
	}

}
