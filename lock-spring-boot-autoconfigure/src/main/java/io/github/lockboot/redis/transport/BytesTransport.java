package io.github.lockboot.redis.transport;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Connections of the library for values that are bytes. Not those of the locks, so that
 * no large value delays a lock. Its calls have no time limit of their own and fail at
 * once while there is no connection; a caller may complete a reply exceptionally to give
 * it up. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class BytesTransport implements AutoCloseable {

	private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

	private final PrivateConnectionFactory factory;

	private final Route<byte[]> route;

	private BytesTransport(PrivateConnectionFactory factory, Route<byte[]> route) {
		this.factory = factory;
		this.route = route;
	}

	/**
	 * Connect to the servers of an application. Blocks.
	 * @param application how the application connects
	 * @param applicationName what the names of the connections begin with, if anything
	 * @param commandTimeout time limit for the handshake of a connection
	 * @param scripts scripts to load; one that can't be loaded is sent with its text by
	 * {@link #run}
	 * @return the transport
	 * @throws RedisException if no server can be reached, or it refuses
	 */
	public static BytesTransport connect(ConnectionSettings application, @Nullable String applicationName,
			Duration commandTimeout, Collection<LuaScript> scripts) {
		PrivateConnectionFactory factory = PrivateConnectionFactory.of(application,
				new ClientName(applicationName, "cache"), commandTimeout);
		try {
			return new BytesTransport(factory, factory.connect(CODEC, scripts, commandTimeout));
		}
		catch (RuntimeException ex) {
			factory.close();
			throw ex;
		}
	}

	/**
	 * Read a value.
	 * @param key the key
	 * @return the value, or {@code null} if there is none
	 */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public CompletableFuture<byte @Nullable []> get(String key) {
		return this.route.watched(key, this.route.commands().get(key).toCompletableFuture());
	}

	/**
	 * Read several values.
	 * @param keys the keys, at least one
	 * @return the values, {@code null} where there is none, in the same order
	 */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public CompletableFuture<List<byte @Nullable []>> getAll(String... keys) {
		return this.route.watched(keys[0],
				this.route.commands()
					.mget(keys)
					.toCompletableFuture()
					.thenApply((values) -> values.stream().map((value) -> value.getValueOrElse(null)).toList()));
	}

	/**
	 * Run a script. Redis is sent its digest, and its text only if it has forgotten it.
	 * @param script the script, which answers with an array
	 * @param keys its keys, all in one slot
	 * @param arguments its arguments
	 * @return the array: numbers as {@link Long}, all else as {@code byte[]}
	 */
	public CompletableFuture<List<Object>> run(LuaScript script, String[] keys, byte[]... arguments) {
		return this.route.run(script, keys, arguments);
	}

	/**
	 * Return the names of the servers that commands go to: masters, each with a clock of
	 * its own. One that is connected to anew may get another name.
	 * @return the same object until they change
	 */
	public Set<String> servers() {
		return this.route.servers();
	}

	/**
	 * Return to which of several servers commands on a key go.
	 * @param key the key
	 * @return its name, empty if there is only one or it is not known
	 */
	public String serverOf(String key) {
		return this.route.serverOf(key);
	}

	/**
	 * Ask a server for its time.
	 * @param server its name
	 * @return microseconds since 1970
	 */
	public CompletableFuture<Long> timeMicros(String server) {
		return this.route.time(server).thenApply((time) -> number(time.get(0)) * 1_000_000 + number(time.get(1)));
	}

	/**
	 * Ask all servers about their memory.
	 * @return what INFO tells, by each; one fails if the user may not ask
	 */
	public List<CompletableFuture<String>> memoryInfo() {
		return this.route.servers().stream().map((server) -> this.route.info(server, "memory")).toList();
	}

	private static long number(byte[] digits) {
		return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
	}

	/**
	 * Open the way by which Redis pushes to this JVM what is published on any server.
	 * @param listener told each message and when channels open and close
	 * @return the way, without any channel. Blocks until it is connected, on a single
	 * server.
	 * @throws RedisException if the server can't be reached or refuses
	 */
	public Channels channels(ChannelListener<byte[]> listener) {
		return this.route.subscriptions(listener);
	}

	@Override
	public void close() {
		this.route.close();
		this.factory.close();
	}

}
