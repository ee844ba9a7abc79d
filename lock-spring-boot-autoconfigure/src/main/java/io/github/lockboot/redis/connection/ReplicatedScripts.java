package io.github.lockboot.redis.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.StageFailure;

/**
 * Runs scripts at one master and waits until replicas have what they wrote. {@code WAIT}
 * blocks its connection, so there is one for this alone. Calls that come while a
 * {@code WAIT} is under way are sent together after it, with one {@code WAIT} for all of
 * them. Thread-safe.
 *
 * @param <V> type of arguments
 */
final class ReplicatedScripts<V> implements AutoCloseable {

	private final RedisCodec<String, V> codec;

	private final Supplier<CompletionStage<StatefulRedisConnection<String, V>>> connector;

	private final ReentrantLock mutex = new ReentrantLock();

	private final List<Call<V>> waiting = new ArrayList<>();

	/** Whether a group of calls is under way. */
	private boolean sending;

	private boolean closed;

	private @Nullable StatefulRedisConnection<String, V> connection;

	ReplicatedScripts(RedisCodec<String, V> codec,
			Supplier<CompletionStage<StatefulRedisConnection<String, V>>> connector) {
		this.codec = codec;
		this.connector = connector;
	}

	/**
	 * Run a script, as {@link RedisConnection#runReplicated} does. All callers wait for
	 * the same number of replicas.
	 */
	CompletableFuture<List<Object>> run(Call<V> call) {
		this.mutex.lock();
		try {
			this.waiting.add(call);
			if (this.sending) {
				return call.result;
			}
			this.sending = true;
		}
		finally {
			this.mutex.unlock();
		}
		sendNext();
		return call.result;
	}

	private void sendNext() {
		List<Call<V>> group;
		this.mutex.lock();
		try {
			group = takeWaiting();
			group.removeIf((call) -> call.result.isDone()); // given up
			this.sending = !group.isEmpty();
		}
		finally {
			this.mutex.unlock();
		}
		if (!group.isEmpty()) {
			connected().thenCompose((open) -> send(group, open))
				.whenComplete((acknowledged, failure) -> answered(group, acknowledged, failure));
		}
	}

	private CompletionStage<Long> send(List<Call<V>> group, StatefulRedisConnection<String, V> connection) {
		group.forEach((call) -> call.reply = new ScriptReply<>(connection, this.codec, call.script, call.keys,
				call.arguments, ReplicatedScripts::leftToOthers)
			.send());
		Call<V> any = group.get(0);
		return connection.async().waitForReplication(any.replicas, any.limitMillis);
	}

	/** Scripts are loaded on the connection that all locks share. */
	private static CompletionStage<Void> leftToOthers() {
		return CompletableFuture.failedStage(new RedisException("Not loaded on this connection"));
	}

	private void answered(List<Call<V>> group, @Nullable Long acknowledged, @Nullable Throwable failure) {
		Call<V> any = group.get(0);
		if (acknowledged != null && acknowledged >= any.replicas) {
			succeed(group);
			return;
		}
		RedisException reason = new RedisException(
				"only " + acknowledged + " of " + any.replicas + " replicas had it within " + any.limitMillis + " ms");
		if (failure != null) {
			disconnect();
			reason = new RedisException(StageFailure.cause(failure));
		}
		fail(group, reason);
	}

	/**
	 * A script that Redis had forgotten is sent again with its text, behind {@code WAIT}:
	 * its call goes with the next group once more.
	 */
	private void succeed(List<Call<V>> group) {
		List<Call<V>> done = new ArrayList<>();
		this.mutex.lock();
		try {
			group.forEach((call) -> (call.reply.isDone() ? done : this.waiting).add(call));
		}
		finally {
			this.mutex.unlock();
		}
		sendNext();
		done.forEach(Call::complete);
	}

	/**
	 * Calls that wait for their turn share the failure: replicas that lack what was
	 * written before have nothing that is written later.
	 */
	private void fail(List<Call<V>> group, RedisException reason) {
		List<Call<V>> failed = new ArrayList<>(group);
		this.mutex.lock();
		try {
			failed.addAll(takeWaiting());
		}
		finally {
			this.mutex.unlock();
		}
		sendNext();
		failed.forEach((call) -> call.result.completeExceptionally(reason));
	}

	private List<Call<V>> takeWaiting() {
		List<Call<V>> taken = new ArrayList<>(this.waiting);
		this.waiting.clear();
		return taken;
	}

	private CompletionStage<StatefulRedisConnection<String, V>> connected() {
		this.mutex.lock();
		try {
			if (this.closed) {
				return CompletableFuture.failedStage(new RedisException("The connection is closed"));
			}
			if (this.connection != null && this.connection.isOpen()) {
				return CompletableFuture.completedStage(this.connection);
			}
		}
		finally {
			this.mutex.unlock();
		}
		disconnect();
		return this.connector.get().thenApply(this::keep);
	}

	private StatefulRedisConnection<String, V> keep(StatefulRedisConnection<String, V> connected) {
		this.mutex.lock();
		try {
			this.connection = connected;
			if (this.closed) {
				connected.closeAsync();
			}
			return connected;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** The next connection leads to the server that is the master then. */
	private void disconnect() {
		this.mutex.lock();
		try {
			if (this.connection != null) {
				this.connection.closeAsync();
				this.connection = null;
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public void close() {
		this.mutex.lock();
		try {
			this.closed = true;
		}
		finally {
			this.mutex.unlock();
		}
		disconnect();
	}

	/**
	 * A script that somebody waits for.
	 */
	static final class Call<V> {

		private final LuaScript script;

		private final String[] keys;

		private final V[] arguments;

		private final int replicas;

		private final long limitMillis;

		private final CompletableFuture<List<Object>> result = new CompletableFuture<>();

		private CompletableFuture<List<Object>> reply = this.result;

		Call(LuaScript script, String[] keys, V[] arguments, int replicas, long limitMillis) {
			this.script = script;
			this.keys = keys;
			this.arguments = arguments;
			this.replicas = replicas;
			this.limitMillis = limitMillis;
		}

		private void complete() {
			this.reply.whenComplete((reply, failure) -> {
				if (failure != null) {
					this.result.completeExceptionally(failure);
				}
				else {
					this.result.complete(reply);
				}
			});
		}

	}

}
