package io.github.lockboot.redis.connection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.StageFailure;

/**
 * Runs scripts at one master and waits until replicas have the writes of the scripts.
 * {@code WAIT} blocks its connection, so this class uses a separate connection. Calls
 * during a {@code WAIT} are sent together after it, with one {@code WAIT} for all of
 * them. Thread-safe.
 */
final class ReplicatedScripts<V> {

	private final RedisCodec<String, V> codec;

	private final Supplier<CompletionStage<StatefulRedisConnection<String, V>>> connector;

	private final BlockingQueue<ReplicatedCall<V>> waiting = new LinkedBlockingQueue<>();

	/** Whether a group of calls is in progress. */
	private final AtomicBoolean sending = new AtomicBoolean();

	private volatile @Nullable StatefulRedisConnection<String, V> connection;

	private volatile boolean closed;

	ReplicatedScripts(RedisCodec<String, V> codec,
			Supplier<CompletionStage<StatefulRedisConnection<String, V>>> connector) {
		this.codec = codec;
		this.connector = connector;
	}

	/** Run a script, as {@link RedisConnection#runReplicated} does. */
	CompletableFuture<List<Object>> run(ReplicatedCall<V> call) {
		this.waiting.add(call);
		sendUnlessSending();
		return call.result();
	}

	private void sendUnlessSending() {
		if (!this.waiting.isEmpty() && this.sending.compareAndSet(false, true)) {
			sendNext();
		}
	}

	private void sendNext() {
		List<ReplicatedCall<V>> group = takeWaiting();
		group.removeIf((call) -> call.result().isDone()); // cancelled
		if (group.isEmpty()) {
			this.sending.set(false);
			sendUnlessSending();
			return;
		}
		ReplicatedCall<V> any = group.get(0);
		Map<ReplicatedCall<V>, CompletableFuture<List<Object>>> replies = new LinkedHashMap<>();
		connect().thenCompose((connection) -> {
			group.forEach((call) -> replies.put(call, new ScriptReply<>(connection, this.codec, call.script(),
					call.keys(), call.arguments(), ReplicatedScripts::leaveToOthers)
				.send()));
			return connection.async().waitForReplication(any.replicas(), any.limitMillis());
		}).whenComplete((acknowledged, failure) -> {
			if (failure != null) {
				disconnect();
				fail(group, new RedisException(StageFailure.cause(failure)));
			}
			else if (acknowledged < any.replicas()) {
				fail(group, new RedisException("only " + acknowledged + " of " + any.replicas()
						+ " replicas had the lock within " + any.limitMillis() + " ms"));
			}
			else {
				succeed(replies);
			}
		});
	}

	/** Load no script, because the connection that all locks share loads the scripts. */
	private static CompletionStage<Void> leaveToOthers() {
		return CompletableFuture.failedStage(new RedisException("Not loaded on this connection"));
	}

	/**
	 * Complete the replies. A script that Redis had lost is sent again with its text,
	 * behind {@code WAIT}, so the call is repeated with the next group.
	 */
	private void succeed(Map<ReplicatedCall<V>, CompletableFuture<List<Object>>> replies) {
		replies.entrySet().removeIf((each) -> !each.getValue().isDone() && this.waiting.add(each.getKey()));
		sendNext();
		replies.forEach((call, reply) -> reply
			.whenComplete((value, failure) -> StageFailure.pass(value, failure, call.result())));
	}

	/**
	 * Fail the calls of a group, and the calls that wait: replicas without the earlier
	 * writes do not have later writes either.
	 */
	private void fail(List<ReplicatedCall<V>> group, RedisException reason) {
		List<ReplicatedCall<V>> failed = takeWaiting();
		failed.addAll(group);
		sendNext();
		failed.forEach((call) -> call.result().completeExceptionally(reason));
	}

	private List<ReplicatedCall<V>> takeWaiting() {
		List<ReplicatedCall<V>> taken = new ArrayList<>();
		this.waiting.drainTo(taken);
		return taken;
	}

	/** Connect to the server that is the current master. */
	private CompletionStage<StatefulRedisConnection<String, V>> connect() {
		StatefulRedisConnection<String, V> present = this.connection;
		if (present != null && present.isOpen()) {
			return CompletableFuture.completedStage(present);
		}
		disconnect();
		if (this.closed) {
			return CompletableFuture.failedStage(new RedisException("The connection is closed"));
		}
		return this.connector.get().thenApply((connected) -> {
			this.connection = connected;
			if (this.closed) {
				connected.closeAsync();
			}
			return connected;
		});
	}

	/** Connect again for the next call, because another server is the master. */
	void reconnect() {
		disconnect();
	}

	private void disconnect() {
		StatefulRedisConnection<String, V> present = this.connection;
		if (present != null) {
			this.connection = null;
			present.closeAsync();
		}
	}

	void close() {
		this.closed = true;
		disconnect();
	}

	/** A script that a caller waits for. */
	record ReplicatedCall<V>(LuaScript script, String[] keys, V[] arguments, int replicas, long limitMillis,
			CompletableFuture<List<Object>> result) {

	}

}
