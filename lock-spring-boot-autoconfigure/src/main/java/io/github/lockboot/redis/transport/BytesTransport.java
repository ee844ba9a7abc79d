package io.github.lockboot.redis.transport;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.Internal;

/**
 * A connection of the library for values that are bytes. Not the one of the locks, so
 * that no large value delays a lock. Its calls have no time limit of their own and fail
 * at once while there is no connection; a caller may complete a reply exceptionally to
 * give it up. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class BytesTransport implements AutoCloseable {

	private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

	private final PrivateConnectionFactory factory;

	private final StatefulRedisConnection<String, byte[]> connection;

	private final RedisAsyncCommands<String, byte[]> commands;

	private BytesTransport(PrivateConnectionFactory factory, StatefulRedisConnection<String, byte[]> connection) {
		this.factory = factory;
		this.connection = connection;
		this.commands = connection.async();
	}

	/**
	 * Connect to the server of an application's connection factory. Blocks.
	 * @param application the application's factory; only its settings are used
	 * @param commandTimeout time limit for the handshake of a connection
	 * @param scripts scripts to load; one that can't be loaded is sent with its text by
	 * {@link #run}
	 * @return the transport
	 * @throws RedisException if the server can't be reached or refuses
	 * @throws IllegalArgumentException if it is of a kind that is not supported
	 */
	public static BytesTransport connect(LettuceConnectionFactory application, Duration commandTimeout,
			Collection<LuaScript> scripts) {
		PrivateConnectionFactory factory = PrivateConnectionFactory.of(application, commandTimeout);
		try {
			RedisClient client = factory.serverClient();
			BytesTransport transport = new BytesTransport(factory, client.connect(CODEC));
			transport.load(scripts, commandTimeout);
			return transport;
		}
		catch (RuntimeException ex) {
			factory.close();
			throw ex;
		}
	}

	private void load(Collection<LuaScript> scripts, Duration timeout) {
		CompletableFuture
			.allOf(scripts.stream()
				.map((script) -> this.commands.scriptLoad(script.text()).toCompletableFuture())
				.toArray(CompletableFuture[]::new))
			.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((failure) -> null)
			.join();
	}

	/**
	 * Read a value.
	 * @param key the key
	 * @return the value, or {@code null} if there is none
	 */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public CompletableFuture<byte @Nullable []> get(String key) {
		return this.commands.get(key).toCompletableFuture();
	}

	/**
	 * Read several values.
	 * @param keys the keys, at least one
	 * @return the values, {@code null} where there is none, in the same order
	 */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public CompletableFuture<List<byte @Nullable []>> getAll(String... keys) {
		return this.commands.mget(keys)
			.toCompletableFuture()
			.thenApply((values) -> values.stream().map((value) -> value.getValueOrElse(null)).toList());
	}

	/**
	 * Ask for the time of Redis.
	 * @return microseconds since 1970
	 */
	public CompletableFuture<Long> timeMicros() {
		return this.commands.time()
			.toCompletableFuture()
			.thenApply((time) -> number(time.get(0)) * 1_000_000 + number(time.get(1)));
	}

	private static long number(byte[] digits) {
		return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
	}

	/**
	 * Run a script. Redis is sent its digest, and its text only if it has forgotten it.
	 * @param script the script, which answers with an array
	 * @param keys its keys, all in one slot
	 * @param arguments its arguments
	 * @return the array: numbers as {@link Long}, all else as {@code byte[]}
	 */
	public CompletableFuture<List<Object>> run(LuaScript script, String[] keys, byte[]... arguments) {
		CompletableFuture<List<Object>> reply = this.commands
			.<List<Object>>evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments)
			.toCompletableFuture();
		return reply.exceptionallyCompose((failure) -> isForgotten(failure)
				? this.commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
				: CompletableFuture.failedStage(failure));
	}

	/**
	 * Open the way by which Redis pushes to this JVM.
	 * @param listener told each message and when channels open and close, on a thread of
	 * Netty; must not block
	 * @return the inbox, without any channel. Blocks until it is connected.
	 * @throws RedisException if the server can't be reached or refuses
	 */
	public BytesInbox inbox(BytesInbox.Listener listener) {
		return BytesInbox.open(this.factory.serverClient().connectPubSub(CODEC), listener);
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
