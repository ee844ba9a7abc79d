package io.github.lockboot.redis.transport;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.api.StatefulRedisConnection;

import io.github.lockboot.Internal;

/**
 * A connection that one piece of work has for itself: it may block it without delaying
 * anybody else.
 *
 * @since 1.0.0
 */
@Internal
public final class LoanedConnection {

	private final StatefulRedisConnection<String, String> connection;

	private volatile boolean misplaced;

	LoanedConnection(StatefulRedisConnection<String, String> connection) {
		this.connection = connection;
	}

	/**
	 * Run a script, as {@link RedisTransport#run} does.
	 * @param script the script, which answers with an array or a number
	 * @param keys its keys, all in the slot of the key that the loan was asked for
	 * @param arguments its arguments
	 * @return the array, a number as an array of one
	 */
	public CompletableFuture<List<Object>> run(LuaScript script, String[] keys, String... arguments) {
		return Route.run(this.connection.async(), script, keys, arguments).whenComplete((reply, failure) -> {
			if (failure != null && Misplacement.isToldBy(failure)) {
				this.misplaced = true;
			}
		});
	}

	/**
	 * Wait until replicas have all that was written on this connection.
	 * @param replicas how many are waited for
	 * @param limitMillis how long to wait for them, in milliseconds
	 * @return how many have it
	 */
	public CompletableFuture<Long> awaitReplicas(int replicas, long limitMillis) {
		return this.connection.async().waitForReplication(replicas, limitMillis).toCompletableFuture();
	}

	/**
	 * Whether the connection is of use.
	 * @return false once it is broken, or its server has turned out not to be a master
	 */
	boolean isOpen() {
		return !this.misplaced && this.connection.isOpen();
	}

	void close() {
		this.connection.closeAsync();
	}

}
