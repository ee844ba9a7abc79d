package io.github.lockboot.redis.connection;

import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * What to change if Redis refuses the library's commands, its user or its connection.
 */
@Internal
public final class Refusals {

	private static final String CREDENTIALS = "Correct spring.data.redis.username and spring.data.redis.password.";

	/** The cures, by a part of the message of Redis. */
	private static final Map<String, String> CURES = Map.of("READONLY ",
			"This server is a read-only replica: set spring.data.redis.host, port or url to the master.", "MOVED ",
			"This server is one node of a Cluster: set spring.data.redis.cluster.nodes instead of host and port.",
			"EVALSHA",
			"If this server is a Sentinel, set spring.data.redis.sentinel.master and spring.data.redis.sentinel.nodes"
					+ " instead of host and port. Otherwise do not rename the commands of Redis.",
			"OOM ",
			"The memory of Redis is full: raise its 'maxmemory', or give the locks a Redis of their own"
					+ " (lock.redis.connection-factory).",
			"NOPERM ",
			"Grant the user of spring.data.redis.username the rights for keys and channels with the prefix of"
					+ " lock.key-prefix (https://github.com/lockboot/lock-spring-boot/blob/main/docs/redis.md#rights).",
			"DB index", "Correct spring.data.redis.database, or raise the number of databases in Redis.", "NOAUTH ",
			CREDENTIALS, "WRONGPASS ", CREDENTIALS, "ERR AUTH ", CREDENTIALS);

	private Refusals() {
	}

	/**
	 * Return what to change after a failure.
	 * @return a sentence or two, or {@code null} if Redis has not refused anything, or
	 * not for long
	 */
	public static @Nullable String cure(@Nullable Throwable failure) {
		return causes(failure).map((cause) -> String.valueOf(cause.getMessage()))
			.flatMap((message) -> CURES.entrySet().stream().filter((cure) -> message.contains(cure.getKey())))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return whether Redis refuses the user or the password, so that a retry does not
	 * help.
	 */
	public static boolean isOfCredentials(Throwable failure) {
		return CREDENTIALS.equals(cure(failure));
	}

	/**
	 * Return a failure and its causes. The failure of a cluster contains those of its
	 * members as suppressed exceptions.
	 */
	public static Stream<Throwable> causes(@Nullable Throwable failure) {
		return (failure == null) ? Stream.empty() : Stream.concat(Stream.of(failure), Stream
			.concat(causes(failure.getCause()), Stream.of(failure.getSuppressed()).flatMap(Refusals::causes)));
	}

}
