package io.github.lockboot.redis.connection;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

import io.github.lockboot.concurrent.StageFailure;

/**
 * The reply to one script. Only the script's digest is sent. If Redis has lost the
 * script, all scripts are loaded and the digest is sent once more; if Redis still does
 * not have the script, its text is sent.
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

	String[] keys() {
		return this.keys;
	}

	V[] arguments() {
		return this.arguments;
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
	boolean isSentInBatch() {
		return this.progress.compareAndSet(Progress.NOT_SENT, Progress.SENT);
	}

	/**
	 * Handle the end of the batch.
	 * @param reply the reply to this script, {@code null} if the script has not run
	 */
	@SuppressWarnings("unchecked")
	void endInBatch(@Nullable Object reply, @Nullable Throwable failure) {
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

}
