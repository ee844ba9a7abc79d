package io.github.lockboot.redis.connection;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.StageFailure;

/**
 * The reply to one script. Only the script's digest is sent. If Redis has lost the
 * script, all scripts are loaded and the digest is sent once more; if Redis still does
 * not have the script, its text is sent. Scripts that are called at the same time may be
 * sent as one, by {@link Batches}.
 * <p>
 * A caller may complete the reply exceptionally to cancel the call. Every failure is a
 * {@link CommandNotSentException} if no command was sent or Redis has replied that it
 * does not have the script.
 */
final class ScriptReply<V> extends CompletableFuture<List<Object>> {

	private final StatefulConnection<String, V> connection;

	private final RedisCodec<String, V> codec;

	private final LuaScript script;

	private final String[] keys;

	private final V[] arguments;

	/**
	 * Loads the scripts, or joins a load in progress; the stage fails if the scripts
	 * cannot be loaded.
	 */
	private final Supplier<? extends CompletionStage<?>> loader;

	private final UnaryOperator<Throwable> explanation;

	private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.NOT_SENT);

	ScriptReply(StatefulConnection<String, V> connection, RedisCodec<String, V> codec, LuaScript script, String[] keys,
			V[] arguments, Supplier<? extends CompletionStage<?>> loader) {
		this(connection, codec, script, keys, arguments, loader, UnaryOperator.identity());
	}

	ScriptReply(StatefulConnection<String, V> connection, RedisCodec<String, V> codec, LuaScript script, String[] keys,
			V[] arguments, Supplier<? extends CompletionStage<?>> loader, UnaryOperator<Throwable> explanation) {
		this.connection = connection;
		this.codec = codec;
		this.script = script;
		this.keys = keys;
		this.arguments = arguments;
		this.loader = loader;
		this.explanation = explanation;
	}

	/** The progress of the call, which shows whether the script may have run. */
	private enum Progress {

		NOT_SENT, SENT, CANCELLED

	}

	ScriptReply<V> send() {
		sendDigest(() -> this.loader.get().whenComplete((loaded, failure) -> sendAgain(failure == null)));
		return this;
	}

	private void sendAgain(boolean loaded) {
		if (isDone()) {
			return; // cancelled
		}
		if (loaded) {
			sendDigest(this::sendText);
		}
		else {
			sendText();
		}
	}

	private void sendDigest(Runnable ifLost) {
		dispatch(CommandType.EVALSHA, this.script.sha1()).whenComplete((reply, failure) -> {
			if (isLost(failure)) {
				ifLost.run();
			}
			else {
				end(reply, failure);
			}
		});
	}

	private void sendText() {
		dispatch(CommandType.EVAL, this.script.text()).whenComplete(this::end);
	}

	private ScriptCommand dispatch(CommandType type, String script) {
		ScriptCommand call = new ScriptCommand(type,
				new CommandArgs<>(this.codec).add(script)
					.add(this.keys.length)
					.addKeys(this.keys)
					.addValues(this.arguments));
		try {
			this.connection.dispatch(call);
		}
		catch (RuntimeException ex) {
			call.completeExceptionally(ex);
		}
		return call;
	}

	/**
	 * Note that the script is sent with others now, or return false if the call was
	 * already cancelled.
	 */
	private boolean isSentInBatch() {
		return this.progress.compareAndSet(Progress.NOT_SENT, Progress.SENT);
	}

	/**
	 * Handle the end of the batch.
	 * @param reply the reply to this script, {@code null} if the script has not run
	 */
	@SuppressWarnings("unchecked")
	private void endInBatch(@Nullable Object reply, @Nullable Throwable failure) {
		if (reply != null) {
			complete((reply instanceof List<?> list) ? (List<Object>) list : List.of(reply));
			return;
		}
		if (failure == null || failure instanceof CommandNotSentException) {
			this.progress.set(Progress.NOT_SENT);
		}
		if (failure != null) {
			completeExceptionally(failure);
		}
		else if (!isDone()) {
			send();
		}
	}

	private void end(List<Object> reply, Throwable failure) {
		if (failure == null) {
			complete(reply);
		}
		else {
			completeExceptionally(StageFailure.cause(failure));
		}
	}

	@Override
	public boolean completeExceptionally(Throwable failure) {
		boolean notSent = this.progress.compareAndSet(Progress.NOT_SENT, Progress.CANCELLED);
		Throwable explained = isDone() ? failure : this.explanation.apply(failure);
		return super.completeExceptionally((notSent && !(explained instanceof CommandNotSentException))
				? new CommandNotSentException(explained) : explained);
	}

	/** Return whether the script has to be sent again, because it has not run. */
	private boolean isLost(Throwable failure) {
		if (failure == null || !(StageFailure.cause(failure) instanceof RedisNoScriptException)) {
			return false;
		}
		this.progress.set(Progress.NOT_SENT);
		return !isDone();
	}

	/** A command that notes when it is written. */
	private final class ScriptCommand extends AsyncCommand<String, V, List<Object>> {

		ScriptCommand(CommandType type, CommandArgs<String, V> arguments) {
			super(new Command<>(type, new NestedMultiOutput<>(ScriptReply.this.codec), arguments));
		}

		/**
		 * Encode the command even if it was cancelled: it can no longer be removed from
		 * the connection's queue, which expects a reply to it.
		 */
		@Override
		public void encode(ByteBuf buffer) {
			if (ScriptReply.this.progress.compareAndSet(Progress.NOT_SENT, Progress.SENT)
					|| ScriptReply.this.progress.get() == Progress.SENT) {
				super.encode(buffer);
			}
			else {
				new Command<>(CommandType.PING, new StatusOutput<>(StringCodec.ASCII)).encode(buffer);
			}
		}

	}

	/**
	 * Combines calls of scripts that are made at the same time into one call. The thread
	 * of the connection sends all calls that have been made by the time it runs, so a
	 * single call does not wait for others. Calls with the same first key are sent in
	 * their order. Only a call that the batch has not executed is sent alone afterwards,
	 * when later calls may have overtaken it; so are the next calls with its first key,
	 * such as those about a lock for which others wait. With 64 threads on 64 locks,
	 * calls that are only pipelined cost Redis 17 to 72 % more processor time.
	 * Thread-safe.
	 */
	static final class Batches<V> {

		/** This number of calls delays other clients of the server by some 100 us. */
		private static final int MOST_CALLS = 32;

		/**
		 * So many calls with a key are sent alone after a batch has not executed one of
		 * them.
		 */
		private static final int CALLS_ALONE = 64;

		private final Executor connectionThread;

		private final Queue<BatchedCall<V>> calls = new ConcurrentLinkedQueue<>();

		private final AtomicBoolean scheduled = new AtomicBoolean();

		/** How many of the next calls are sent alone, by the hash of their first keys. */
		private final AtomicIntegerArray callsAlone = new AtomicIntegerArray(256);

		Batches(Executor connectionThread) {
			this.connectionThread = connectionThread;
		}

		/** Add a call that has not been sent yet. */
		void add(LuaScript.Batched script, ScriptReply<V> reply) {
			this.calls.add(new BatchedCall<>(script, reply));
			schedule();
		}

		private void schedule() {
			if (this.scheduled.compareAndSet(false, true)) {
				try {
					this.connectionThread.execute(this::sendNext);
				}
				catch (RejectedExecutionException ex) {
					sendAll(); // which fails, because the connection is closed
				}
			}
		}

		/** Wait until all earlier calls are sent, at most for a second. */
		void flush() {
			try {
				FutureWait.await(CompletableFuture.runAsync(this::sendAll, this.connectionThread),
						Duration.ofSeconds(1));
			}
			catch (RejectedExecutionException ex) {
				// the connection no longer sends
			}
		}

		/**
		 * Send one batch. Further batches are sent later, since the connection writes to
		 * the network between two tasks: the server executes this batch meanwhile.
		 */
		private void sendNext() {
			this.scheduled.set(false);
			send(next());
			if (!this.calls.isEmpty()) {
				schedule();
			}
		}

		private void sendAll() {
			this.scheduled.set(false);
			while (!this.calls.isEmpty()) {
				send(next());
			}
		}

		private List<BatchedCall<V>> next() {
			List<BatchedCall<V>> batch = new ArrayList<>();
			BatchedCall<V> call = this.calls.poll();
			while (call != null) {
				batch.add(call);
				call = (batch.size() < MOST_CALLS) ? this.calls.poll() : null;
			}
			return batch;
		}

		private void send(List<BatchedCall<V>> calls) {
			List<BatchedCall<V>> batch = new ArrayList<>();
			for (BatchedCall<V> call : calls) {
				if (calls.size() == 1 || this.callsAlone.getAndUpdate(slot(call), Batches::oneLess) > 0) {
					call.reply.send();
				}
				else if (call.reply.isSentInBatch()) {
					batch.add(call);
				}
			}
			if (!batch.isEmpty()) {
				sendTogether(batch);
			}
		}

		private static int oneLess(int count) {
			return Math.max(0, count - 1);
		}

		private int slot(BatchedCall<V> call) {
			return Math.floorMod(call.reply.keys[0].hashCode(), this.callsAlone.length());
		}

		private void sendTogether(List<BatchedCall<V>> batch) {
			List<String> keys = new ArrayList<>();
			StringBuilder letters = new StringBuilder();
			List<V> arguments = new ArrayList<>();
			for (BatchedCall<V> call : batch) {
				keys.addAll(Arrays.asList(call.reply.keys).subList(0, call.script.keys()));
				letters.append(call.script.letter());
				arguments.addAll(Arrays.asList(call.reply.arguments).subList(0, call.script.arguments()));
			}
			ScriptReply<V> first = batch.get(0).reply;
			arguments.add(0,
					first.codec.decodeValue(ByteBuffer.wrap(letters.toString().getBytes(StandardCharsets.US_ASCII))));
			V[] all = arguments.toArray(Arrays.copyOf(first.arguments, 0));
			new ScriptReply<>(first.connection, first.codec, batch.get(0).script.batch(), keys.toArray(String[]::new),
					all, first.loader, first.explanation)
				.send()
				.whenComplete((replies, failure) -> {
					for (int i = 0; i < batch.size(); i++) {
						Object reply = (replies != null) ? replies.get(i) : null;
						if (reply == null && failure == null) {
							this.callsAlone.set(slot(batch.get(i)), CALLS_ALONE);
						}
						batch.get(i).reply.endInBatch(reply, failure);
					}
				});
		}

		private record BatchedCall<V>(LuaScript.Batched script, ScriptReply<V> reply) {

		}

	}

}
