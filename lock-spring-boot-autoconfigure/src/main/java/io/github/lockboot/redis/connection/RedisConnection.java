package io.github.lockboot.redis.connection;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.StageFailure;

/**
 * The library's own connection to the Redis of an application, so that no large value or
 * slow command of the application delays a lock. Calls have no time limit of their own
 * and fail at once while there is no connection; a caller may complete a reply
 * exceptionally to give it up. Thread-safe.
 *
 * @param <V> type of values, arguments and messages
 * @since 1.0.0
 */
@Internal
public abstract class RedisConnection<V> implements AutoCloseable {

	private final RedisCodec<String, V> codec;

	private final Collection<LuaScript> scripts;

	private final OutageLog outages;

	private final Runnable closeClient;

	/** Loads in progress, by server; those who need the same one share it. */
	private final Map<String, CompletableFuture<Void>> loads = new ConcurrentHashMap<>();

	RedisConnection(RedisCodec<String, V> codec, Collection<LuaScript> scripts, OutageLog outages,
			Runnable closeClient) {
		this.codec = codec;
		this.scripts = scripts;
		this.outages = outages;
		this.closeClient = closeClient;
	}

	/**
	 * Run a script. Redis is sent its digest, and its text only if it has forgotten it.
	 * @return the array, a number as an array of one: numbers as {@link Long}, all else
	 * as values. It fails with a {@link CommandNotSentException} if the script was not
	 * sent.
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // passed on, never written to
	public final CompletableFuture<List<Object>> run(LuaScript script, String[] keys, V... arguments) {
		return watched(keys[0],
				new ScriptReply<>(connection(), this.codec, script, keys, arguments, () -> load(keys[0])).send());
	}

	/**
	 * Run a script and wait until replicas have what it wrote, without delaying
	 * {@link #run}.
	 * @param replicas how many replicas are waited for, the same in all calls
	 * @param limitMillis how long they are waited for, in milliseconds
	 * @return the array, a number as an array of one; it fails if too few replicas have
	 * it in time, although the script has run
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // passed on, never written to
	public final CompletableFuture<List<Object>> runReplicated(LuaScript script, String[] keys, int replicas,
			long limitMillis, V... arguments) {
		return replicated(keys[0]).run(new ReplicatedScripts.Call<>(script, keys, arguments, replicas, limitMillis))
			.whenComplete((reply, failure) -> {
				if (failure != null) {
					onFailure(failure);
				}
			});
	}

	/**
	 * Read a value.
	 * @return the value, or {@code null} if there is none
	 */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public CompletableFuture<@Nullable V> get(String key) {
		return watched(key, commands().get(key).toCompletableFuture());
	}

	/**
	 * Read several values.
	 * @return the values, {@code null} where there is none, in the same order
	 */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public CompletableFuture<List<@Nullable V>> getAll(String... keys) {
		return watched(keys[0],
				commands().mget(keys)
					.toCompletableFuture()
					.thenApply((values) -> values.stream().map((value) -> value.getValueOrElse(null)).toList()));
	}

	/**
	 * Return the names of the servers that commands go to: masters, each with a clock of
	 * its own. One that is connected to anew may get another name.
	 * @return the same object until they change
	 */
	public abstract Set<String> servers();

	/**
	 * Return to which of several servers commands on a key go.
	 * @return its name, empty if there is only one or it is not known
	 */
	public abstract String serverOf(String key);

	/**
	 * Ask a server for its time.
	 * @return microseconds since 1970; it fails if the server is gone
	 */
	public CompletableFuture<Long> timeMicros(String server) {
		return commands(server).thenCompose(RedisServerAsyncCommands::time)
			.thenApply((time) -> number(time.get(0)) * 1_000_000 + number(time.get(1)))
			.toCompletableFuture();
	}

	private long number(V digits) {
		return Long.parseLong(StandardCharsets.US_ASCII.decode(this.codec.encodeValue(digits)).toString());
	}

	/**
	 * Ask a single server about itself.
	 * @return what INFO tells in its section of that name; it fails if the user may not
	 * ask
	 */
	public CompletableFuture<String> serverInfo() {
		return commands().info("server").toCompletableFuture();
	}

	/**
	 * Ask all servers about their memory.
	 * @return what INFO tells, by each; one fails if the user may not ask
	 */
	public List<CompletableFuture<String>> memoryInfo() {
		return servers().stream()
			.map((server) -> commands(server).thenCompose((commands) -> commands.info("memory")).toCompletableFuture())
			.toList();
	}

	/**
	 * Subscribe to channels on which anything may be published, on any server.
	 * @return the subscription, without any channel. Blocks until it is connected, on a
	 * single server.
	 * @throws RedisException if the server can't be reached or refuses
	 */
	public abstract Subscription subscribe(SubscriptionListener<V> listener);

	/**
	 * Subscribe to what scripts publish for one reader: to the channel that is called as
	 * {@link #channels} returns for one of their keys, and then as the reader.
	 * @param prefix prefix of the channels, without braces
	 * @param reader name of the reader, the rest of the channel
	 * @return the subscription, which is open once Redis has agreed
	 * @throws RedisException if the server can't be reached or refuses
	 */
	public abstract Subscription subscribe(String prefix, String reader, SubscriptionListener<V> listener);

	/**
	 * Return the prefix of the channels to which a script publishes.
	 * @param prefix their prefix, without braces
	 * @return the prefix itself; or in a cluster the prefix with a hash tag behind it,
	 * for sharded channels on the node that serves the key; or with an empty one for
	 * channels that are not sharded. In a cluster the subscribers can't be counted.
	 */
	public abstract String channels(String prefix, String key);

	/** Returns the connection of {@link #commands()}. */
	abstract StatefulConnection<String, V> connection();

	/** Returns commands that run where their keys lie. */
	abstract RedisClusterAsyncCommands<String, V> commands();

	/** Returns the commands of one server; fails if the server is gone. */
	abstract CompletionStage<? extends RedisClusterAsyncCommands<String, V>> commands(String server);

	/** Loads the scripts on the server of a key, which has forgotten them. */
	abstract CompletableFuture<Void> load(String key);

	abstract ReplicatedScripts<V> replicated(String key);

	/** Returns the host and port of the server of a key, or another name for it. */
	abstract String addressOf(String key);

	/** A command has failed: the servers may have changed their roles. */
	abstract void onFailure(Throwable failure);

	abstract void closeConnections();

	RedisCodec<String, V> codec() {
		return this.codec;
	}

	OutageLog outages() {
		return this.outages;
	}

	@Override
	public final void close() {
		this.outages.close();
		closeConnections();
		this.closeClient.run();
	}

	/** Notes whether the server of a key answers a command. */
	private <T> CompletableFuture<T> watched(String key, CompletableFuture<T> reply) {
		reply.whenComplete((result, failure) -> {
			if (failure != null) {
				onFailure(failure);
			}
			if (failure != null && !(StageFailure.cause(failure) instanceof RedisCommandExecutionException)) {
				this.outages.failed(addressOf(key), failure);
			}
			else if (!this.outages.isEmpty()) {
				this.outages.answered(addressOf(key));
			}
		});
		return reply;
	}

	/**
	 * Loads all scripts on a server, or joins who does. A script that can't be loaded,
	 * for lack of a permission perhaps, is sent with its text later.
	 */
	final CompletableFuture<Void> load(String server,
			CompletionStage<? extends RedisScriptingAsyncCommands<String, V>> commands) {
		CompletableFuture<Void> own = new CompletableFuture<>();
		CompletableFuture<Void> present = this.loads.putIfAbsent(server, own);
		if (present != null) {
			return present;
		}
		commands.thenCompose(this::loadAll).whenComplete((done, failure) -> {
			this.loads.remove(server);
			if (failure != null) {
				own.completeExceptionally(failure);
			}
			else {
				own.complete(null);
			}
		});
		return own;
	}

	private CompletableFuture<Void> loadAll(RedisScriptingAsyncCommands<String, V> commands) {
		return CompletableFuture.allOf(this.scripts.stream()
			.map((script) -> commands.scriptLoad(script.text()).toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

	/** Waits until scripts are loaded, or goes on without them: their texts are sent. */
	static void awaitLoads(Duration timeout, Future<?>... loads) {
		try {
			LettuceFutures.awaitAll(timeout, loads);
		}
		catch (RedisException ex) {
			// sent with their texts then
		}
	}

}
