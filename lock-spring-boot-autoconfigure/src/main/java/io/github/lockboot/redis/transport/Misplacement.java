package io.github.lockboot.redis.transport;

import java.util.List;

import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * How a server says that a connection should lead to another one: it may not be written
 * to because it is a replica, or is a master that its replicas have left.
 */
final class Misplacement {

	/** Before Redis 7, what a command in a script answers is within a longer text. */
	private static final List<String> ANSWERS = List.of("READONLY ", "MASTERDOWN ", "NOREPLICAS ");

	private Misplacement() {
	}

	/**
	 * Whether a failure is such an answer.
	 * @param failure the failure, or what it was wrapped in
	 * @return true if so
	 */
	static boolean isToldBy(Throwable failure) {
		@Nullable Throwable cause = failure;
		while (cause != null && !(cause instanceof RedisCommandExecutionException)) {
			cause = cause.getCause();
		}
		String answer = (cause != null) ? cause.getMessage() : null;
		return answer != null && ANSWERS.stream().anyMatch(answer::contains);
	}

}
