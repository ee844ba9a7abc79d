package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.Internal;

/**
 * The library's own connection to the Redis that an application has configured, so that
 * an application's large value or slow command delays no lock. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class RedisTransport implements AutoCloseable {

	private final PrivateConnectionFactory factory;

	private final StatefulRedisConnection<String, String> connection;

	private final RedisAsyncCommands<String, String> commands;

	private RedisTransport(PrivateConnectionFactory factory, StatefulRedisConnection<String, String> connection) {
		this.factory = factory;
		this.connection = connection;
		this.commands = connection.async();
	}

	/**
	 * Connect to the server of an application's connection factory.
	 * @param application the application's factory; only its settings are used
	 * @param commandTimeout time limit for the handshake of a connection
	 * @param scripts scripts to load
	 * @return the transport
	 * @throws RedisException if the server can't be reached or refuses
	 */
	public static RedisTransport connect(LettuceConnectionFactory application, Duration commandTimeout,
			Collection<LuaScript> scripts) {
		PrivateConnectionFactory factory = PrivateConnectionFactory.of(application, commandTimeout);
		try {
			RedisClient client = factory.client();
			StatefulRedisConnection<String, String> connection = client.connect(new ExactUtf8Codec());
			load(scripts, connection.async(), commandTimeout);
			return new RedisTransport(factory, connection);
		}
		catch (RuntimeException ex) {
			factory.close();
			throw ex;
		}
	}

	/**
	 * A script that can't be loaded, for lack of a permission perhaps, is sent with its
	 * text by {@link #run}.
	 */
	private static void load(Collection<LuaScript> scripts, RedisAsyncCommands<String, String> commands,
			Duration timeout) {
		Future<?>[] loaded = scripts.stream()
			.map((script) -> commands.scriptLoad(script.text()))
			.toArray(Future[]::new);
		try {
			LettuceFutures.awaitAll(timeout, loaded);
		}
		catch (RedisException ex) {
			// sent with its text then
		}
	}

	/**
	 * Run a script. Redis is sent its digest, and its text only if it has forgotten it.
	 * @param script the script, which answers with an array
	 * @param keys its keys, all in one slot
	 * @param arguments its arguments
	 * @return the array: numbers as {@link Long}, texts as {@link String}. It fails at
	 * once while there is no connection; it has no time limit of its own, and may be
	 * completed exceptionally by the caller to give it up.
	 */
	public CompletableFuture<List<Object>> run(LuaScript script, String[] keys, String... arguments) {
		CompletableFuture<List<Object>> reply = this.commands
			.<List<Object>>evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments)
			.toCompletableFuture();
		return reply.exceptionallyCompose((failure) -> isForgotten(failure)
				? this.commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
				: CompletableFuture.failedStage(failure));
	}

	/**
	 * Open a channel by which Redis pushes to this JVM.
	 * @param channel name of the channel
	 * @param onMessage told each message, on a thread of Netty; must not block
	 * @param onOpen told each time that the subscription stands anew
	 * @return the inbox, which is open once Redis has agreed
	 */
	public Inbox inbox(String channel, Consumer<String> onMessage, Runnable onOpen) {
		return Inbox.subscribe(this.factory.client(), channel, onMessage, onOpen);
	}

	private static boolean isForgotten(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		return cause instanceof RedisNoScriptException;
	}

	@Override
	public void close() {
		this.connection.close();
		this.factory.close();
	}

}
