package io.github.lockboot.redis.connection;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * What to change if Redis refuses the library's commands, its user or its connection.
 */
@Internal
public final class Refusals {

	private static final String CREDENTIALS = "Correct spring.data.redis.username and spring.data.redis.password.";

	private static final String RIGHTS = "Grant the user of spring.data.redis.username the rights for keys and channels"
			+ " with the prefix of lock.key-prefix"
			+ " (https://github.com/lockboot/lock-spring-boot/blob/main/docs/redis.md#rights).";

	/** What may end without anybody's help. */
	private static final List<String> PASSING = List.of("BUSY ", "LOADING ", "CLUSTERDOWN ", "MASTERDOWN ");

	/**
	 * Errors of a server that is not the right master but a replica, or a master without
	 * its replicas. Before Redis 7, the error of a command in a script is part of a
	 * longer text.
	 */
	private static final List<String> NOT_MASTER = List.of("READONLY ", "MASTERDOWN ", "NOREPLICAS ");

	/** The cures, by a part of the message of Redis; the first one applies. */
	private static final List<Map.Entry<String, String>> CURES = List.of(
			Map.entry("READONLY ",
					"This server is a read-only replica: set spring.data.redis.host, port or url to the master."),
			Map.entry("MOVED ",
					"This server is one node of a Cluster: set spring.data.redis.cluster.nodes instead of host and port."),
			Map.entry("MISCONF ",
					"Redis cannot save its data, and refuses writes: free its disk, or correct its 'dir', as its log says."),
			Map.entry("NOREPLICAS ",
					"Too few replicas are connected to Redis: restore them, or lower its 'min-replicas-to-write'."),
			Map.entry("BUSY ", "A script of another program blocks Redis: end it with SCRIPT KILL."),
			Map.entry("LOADING ", "Redis is still loading its data: wait until it has."),
			Map.entry("CLUSTERDOWN ", "The cluster has lost a master, or slots: restore them, as CLUSTER INFO says."),
			Map.entry("MASTERDOWN ",
					"This server is a replica that has lost its master: set spring.data.redis.host, port or url to the"
							+ " master."),
			Map.entry("max number of clients",
					"Each instance has two connections for its locks: raise 'maxclients', or close other connections."),
			Map.entry("DENIED Redis is running in protected mode",
					"Redis accepts connections from its own machine only: give its users a password, or switch its"
							+ " 'protected-mode' off."),
			Map.entry("OOM ",
					"The memory of Redis is full: raise its 'maxmemory', or give the locks a Redis of their own"
							+ " (lock.redis.connection-factory)."),
			// the second one is of Redis 7
			Map.entry("NOPERM ", RIGHTS), Map.entry("The user executing the script", RIGHTS),
			Map.entry("DB index", "Correct spring.data.redis.database, or raise the number of databases in Redis."),
			Map.entry("NOAUTH ", CREDENTIALS), Map.entry("WRONGPASS ", CREDENTIALS),
			Map.entry("ERR AUTH ", CREDENTIALS),
			Map.entry("EVALSHA",
					"If this server is a Sentinel, set spring.data.redis.sentinel.master and"
							+ " spring.data.redis.sentinel.nodes instead of host and port. Otherwise do not rename the"
							+ " commands of Redis."));

	private Refusals() {
	}

	/**
	 * Return what to change after a failure.
	 * @return a sentence or two, or {@code null} if Redis has not refused anything, or
	 * for an unknown reason
	 */
	public static @Nullable String cure(@Nullable Throwable failure) {
		return cures(failure).findFirst().orElse(null);
	}

	/** Return whether Redis refuses the locks until somebody changes something. */
	public static boolean isLasting(Throwable failure) {
		return cure(failure) != null && causes(failure).map((cause) -> String.valueOf(cause.getMessage()))
			.noneMatch((message) -> PASSING.stream().anyMatch(message::startsWith));
	}

	/**
	 * Return whether Redis, or one node of a cluster, refuses the user or the password,
	 * so that a retry does not help.
	 */
	public static boolean isOfCredentials(Throwable failure) {
		return cures(failure).anyMatch(CREDENTIALS::equals);
	}

	private static Stream<String> cures(@Nullable Throwable failure) {
		return causes(failure).map((cause) -> String.valueOf(cause.getMessage()))
			.flatMap((message) -> CURES.stream().filter((cure) -> message.contains(cure.getKey())))
			.map(Map.Entry::getValue);
	}

	/**
	 * Return a failure and its causes. The failure of a cluster contains those of its
	 * members as suppressed exceptions.
	 */
	public static Stream<Throwable> causes(@Nullable Throwable failure) {
		return (failure == null) ? Stream.empty() : Stream.concat(Stream.of(failure), Stream
			.concat(causes(failure.getCause()), Stream.of(failure.getSuppressed()).flatMap(Refusals::causes)));
	}

	/** Return whether a server replied that another server is the master. */
	static boolean isNotMaster(Throwable failure) {
		@Nullable Throwable cause = failure;
		while (cause != null && !(cause instanceof RedisCommandExecutionException)) {
			cause = cause.getCause();
		}
		String error = (cause != null) ? cause.getMessage() : null;
		return error != null && NOT_MASTER.stream().anyMatch(error::contains);
	}

}
