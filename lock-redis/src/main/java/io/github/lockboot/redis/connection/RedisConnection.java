package io.github.lockboot.redis.connection;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.OutageLog;
import io.github.lockboot.concurrent.StageFailure;

/**
 * The library's own connection to the Redis of an application, so that no large value or
 * slow command of the application delays a lock. Calls have no time limit of their own
 * and fail at once while the connection is lost. A caller may complete a reply
 * exceptionally to cancel the call. Thread-safe.
 *
 * @param <V> type of values, arguments and messages
 */
@Internal
public abstract class RedisConnection<V> implements AutoCloseable {

	private static final int KEYS_AT_ONCE = 500;

	private final StatefulConnection<String, V> connection;

	private final RedisClusterAsyncCommands<String, V> commands;

	private final RedisCodec<String, V> codec;

	private final Collection<LuaScript> scripts;

	private final ConnectionSource client;

	/** Absent in a cluster, because its nodes have different keys. */
	private final ScriptReply.@Nullable Batches<V> batches;

	/** The outages by the address of the server; empty while all servers answer. */
	private final Map<String, OutageLog> outages = new ConcurrentHashMap<>();

	/** Loads in progress, by server; concurrent callers share them. */
	private final Map<String, CompletableFuture<Void>> loads = new ConcurrentHashMap<>();

	/** The last reply, if the server is no master, after which the connection ends. */
	private volatile @Nullable Throwable refusal;

	private volatile boolean closed;

	RedisConnection(ConnectionSource client, boolean batches, StatefulConnection<String, V> connection,
			RedisClusterAsyncCommands<String, V> commands, RedisCodec<String, V> codec, Collection<LuaScript> scripts) {
		this.client = client;
		this.connection = connection;
		this.commands = commands;
		this.codec = codec;
		this.scripts = scripts;
		this.batches = batches ? new ScriptReply.Batches<>(client.connectionThread()) : null;
	}

	/**
	 * Run a script. Only its digest is sent, unless the server has lost the script.
	 * @return the reply, with numbers as {@link Long} and everything else as values; a
	 * single number is a list with one element. The reply fails with a
	 * {@link CommandNotSentException} if the script was not sent
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // passed on, never written to
	public final CompletableFuture<List<Object>> run(LuaScript script, String[] keys, V... arguments) {
		return observed(keys[0], reply(script, keys, arguments).send());
	}

	/** Return whether one server has all keys, so that a script may have any of them. */
	public final boolean isOneServer() {
		return this.batches != null;
	}

	/**
	 * Run a script as {@link #run(LuaScript, String[], Object[])} does, if possible
	 * together with other scripts that are called at the same time. The script must have
	 * the same result if it runs after scripts that were called later.
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // passed on, never written to
	public final CompletableFuture<List<Object>> run(LuaScript.Batched script, String[] keys, V... arguments) {
		ScriptReply.Batches<V> batches = this.batches;
		if (batches == null) {
			return run(script.script(), keys, arguments);
		}
		ScriptReply<V> reply = reply(script.script(), keys, arguments);
		batches.add(script, reply);
		return observed(keys[0], reply);
	}

	/** Create a call of a script, to be sent. */
	private ScriptReply<V> reply(LuaScript script, String[] keys, V[] arguments) {
		return new ScriptReply<>(this.connection, this.codec, script, keys, arguments, () -> load(keys[0]),
				(failure) -> explained(keys[0], failure));
	}

	/**
	 * Run a script and wait until replicas have its writes, without delaying
	 * {@link #run}.
	 * @param awaited whether a caller waits for the reply; such calls do not wait for the
	 * replicas of other ones, which have a connection of their own
	 * @param replicas number of replicas to wait for, the same in all calls
	 * @param limitMillis how long to wait for the replicas, in milliseconds
	 * @return the reply, which fails if too few replicas have confirmed in time, although
	 * the script has run
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // passed on, never written to
	public final CompletableFuture<List<Object>> runReplicated(LuaScript script, boolean awaited, String[] keys,
			int replicas, long limitMillis, V... arguments) {
		CompletableFuture<List<Object>> result = replicated(keys[0], awaited)
			.run(new ReplicatedScripts.ReplicatedCall<>(script, keys, arguments, replicas, limitMillis,
					new CompletableFuture<>()));
		result.whenComplete((reply, failure) -> {
			if (failure != null) {
				onFailure(failure);
			}
		});
		return result; // no dependent stage, so that a caller can cancel the call
	}

	/**
	 * Read a value, {@code null} if there is none. The reply is passed on without another
	 * stage, which would delay callers of a cache.
	 */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public void get(String key, BiConsumer<@Nullable V, @Nullable Throwable> reply) {
		this.commands.get(key).whenComplete((value, failure) -> {
			reply.accept(value, failure);
			observe(key, failure);
		});
	}

	/** Write a value that expires. */
	public CompletableFuture<String> set(String key, V value, long lifeMillis) {
		return observed(key, this.commands.set(key, value, SetArgs.Builder.px(lifeMillis)).toCompletableFuture());
	}

	/** Read several values in the order of their keys, {@code null} if there is none. */
	@SuppressWarnings("NullAway") // Lettuce has no nullness
	public CompletableFuture<List<@Nullable V>> getAll(String... keys) {
		return observed(keys[0],
				this.commands.mget(keys)
					.toCompletableFuture()
					.thenApply((values) -> values.stream().map((value) -> value.getValueOrElse(null)).toList()));
	}

	/**
	 * Return the names of the masters, each of which has its own clock. A server may get
	 * another name when it is reconnected.
	 * @return the same object until a name changes
	 */
	public abstract Set<String> servers();

	/**
	 * Return the server of a key among several, empty if it is unknown or the only one.
	 */
	public String serverOf(String key) {
		return "";
	}

	/**
	 * Read the time of a server, in microseconds since 1970. The reply fails if the
	 * server is gone.
	 */
	public CompletableFuture<Long> timeMicros(String server) {
		return commands(server).thenCompose(RedisServerAsyncCommands::time)
			.thenApply((time) -> number(time.get(0)) * 1_000_000 + number(time.get(1)))
			.toCompletableFuture();
	}

	private long number(V digits) {
		return Long.parseLong(StandardCharsets.US_ASCII.decode(this.codec.encodeValue(digits)).toString());
	}

	/** Read {@code INFO server}. The reply fails if the user lacks the right. */
	public CompletableFuture<String> serverInfo() {
		return this.commands.info("server").toCompletableFuture();
	}

	/**
	 * Read {@code INFO memory} of all servers. The replies fail if the user lacks the
	 * right.
	 */
	public List<CompletableFuture<String>> memoryInfo() {
		return servers().stream()
			.map((server) -> commands(server).thenCompose((commands) -> commands.info("memory")).toCompletableFuture())
			.toList();
	}

	/** Return how many keys all servers have together. */
	public CompletableFuture<Long> countKeys() {
		return servers().stream()
			.map((server) -> commands(server).thenCompose(RedisServerAsyncCommands::dbsize).toCompletableFuture())
			.reduce(CompletableFuture.completedFuture(0L), (one, other) -> one.thenCombine(other, Long::sum));
	}

	/**
	 * Visit all keys of all servers, in batches that are small enough not to delay other
	 * commands.
	 * @param pattern pattern of Redis for the keys of strings to read
	 * @param read receives these keys, some of them twice, on the threads of the replies;
	 * returns whether to continue
	 */
	public CompletableFuture<Void> scan(String pattern, Predicate<List<String>> read) {
		ScanArgs arguments = new KeyScanArgs().type("string").match(pattern).limit(KEYS_AT_ONCE);
		return CompletableFuture.allOf(servers().stream()
			.map((server) -> commands(server)
				.thenCompose((commands) -> scan(commands, ScanCursor.INITIAL, arguments, read))
				.toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

	@SuppressWarnings("NullAway") // a Void is always null
	private static CompletionStage<Void> scan(RedisKeyAsyncCommands<String, ?> commands, ScanCursor from,
			ScanArgs arguments, Predicate<List<String>> read) {
		return commands.scan(from, arguments)
			.thenCompose((reply) -> (read.test(reply.getKeys()) && !reply.isFinished())
					? scan(commands, reply, arguments, read) : CompletableFuture.completedStage(null));
	}

	/**
	 * Subscribe to channels to which any client may publish, on any server. On a single
	 * server, this method blocks until the subscription is connected.
	 * @return the subscription, without any channel
	 * @throws RedisException if the server cannot be reached or refuses the subscription
	 */
	public abstract Subscription subscribe(Subscription.Listener<V> listener);

	/**
	 * Subscribe to the messages that scripts publish for one reader: to each channel
	 * whose name is a prefix from {@link #channels}, followed by the name of the reader.
	 * @throws RedisException if the server cannot be reached or refuses the subscription
	 */
	public abstract Subscription subscribe(String prefix, String reader, Subscription.Listener<V> listener);

	/**
	 * Return the prefix of the channels to which a script publishes.
	 * @param prefix the prefix of all channels, without braces
	 * @return in a cluster, the prefix with the hash tag of sharded channels on the node
	 * of the key, or with an empty hash tag for other channels, whose subscribers are not
	 * counted; otherwise the prefix itself
	 */
	public String channels(String prefix, String key) {
		return prefix;
	}

	/** Return the commands of one server. The stage fails if the server is gone. */
	abstract CompletionStage<? extends RedisClusterAsyncCommands<String, V>> commands(String server);

	/** Load the scripts on the server of a key, which has lost them. */
	abstract CompletableFuture<Void> load(String key);

	abstract ReplicatedScripts<V> replicated(String key, boolean awaited);

	/** Return the host and port of the server of a key, or another display name. */
	abstract String addressOf(String key);

	/** Handle a failed command, after which the servers may have changed their roles. */
	abstract void onFailure(Throwable failure);

	abstract void closeConnections();

	RedisCodec<String, V> codec() {
		return this.codec;
	}

	@Override
	public final void close() {
		this.closed = true;
		if (this.batches != null) {
			this.batches.flush();
		}
		closeConnections();
		this.connection.close();
		this.client.close();
	}

	private <T> CompletableFuture<T> observed(String key, CompletableFuture<T> reply) {
		reply.whenComplete((result, failure) -> observe(key, failure));
		return reply;
	}

	private void observe(String key, @Nullable Throwable failure) {
		if (failure != null) {
			this.refusal = Refusals.isNotMaster(failure) ? failure : this.refusal;
			onFailure(failure);
		}
		else if (this.refusal != null) {
			this.refusal = null;
		}
		if (failure != null && !(StageFailure.cause(failure) instanceof RedisCommandExecutionException)) {
			failed(addressOf(key), failure);
		}
		else if (!this.outages.isEmpty()) {
			answered(addressOf(key));
		}
	}

	/** Add what to change after a refusal, or why there is no connection. */
	private Throwable explained(String key, Throwable failure) {
		String cure = (failure instanceof RedisCommandExecutionException) ? Refusals.cure(failure) : null;
		if (cure != null) {
			return new RedisCommandExecutionException(failure.getMessage() + ". " + cure, failure);
		}
		if (failure instanceof RedisCommandExecutionException) {
			return failure;
		}
		boolean known = this.refusal != null || this.outages.containsKey(addressOf(key));
		String error = known ? beginOutage(addressOf(key)).connectionError() : "";
		if (error.isEmpty()) {
			return failure;
		}
		RedisException explained = new RedisException(failure.getMessage() + " (last connection error: " + error + ")",
				failure);
		return (failure instanceof CommandNotSentException) ? new CommandNotSentException(explained) : explained;
	}

	/** Note why a connection to a server cannot be opened again. */
	final void connectionFailed(String server, Throwable failure) {
		OutageLog outage = this.outages.get(server);
		if (outage != null) {
			outage.connectionFailed(failure, Refusals.cure(failure));
		}
	}

	/** Count a failed call of a user, which may have sent several commands. */
	public final void callFailed(String key) {
		OutageLog outage = this.outages.get(addressOf(key));
		if (outage != null) {
			outage.callFailed();
		}
	}

	/** Return whether the server of a key is unreachable, and an outage is logged. */
	public final boolean isUnreachable(String key) {
		return this.outages.containsKey(addressOf(key));
	}

	private void failed(String server, Throwable failure) {
		OutageLog outage = beginOutage(server);
		if (!this.closed) {
			outage.failed(failure);
		}
	}

	private OutageLog beginOutage(String server) {
		return Objects.requireNonNull(this.outages.computeIfAbsent(server, (name) -> {
			OutageLog outage = new OutageLog("Redis (" + name + ")", this.client.users(), this.client::nanoTime);
			Throwable refusal = this.refusal;
			if (refusal != null) { // the reason of the disconnection
				outage.connectionFailed(refusal, Refusals.cure(refusal));
			}
			return outage;
		}));
	}

	/** Note a lost connection, even if no call has failed. */
	final void disconnected(String server) {
		beginOutage(server);
	}

	/** Check whether a server is still disconnected. */
	final void checkOutage(String server) {
		OutageLog outage = this.outages.get(server);
		if (outage != null && !this.closed) {
			outage.check();
		}
	}

	/** Note an answer of a server. */
	final void answered(String server) {
		OutageLog outage = this.outages.remove(server);
		if (outage != null) {
			outage.ended();
		}
	}

	/** End the outages of servers that were replaced. */
	final void replaced(Predicate<String> isReplaced) {
		this.outages.keySet().stream().filter(isReplaced).forEach((server) -> {
			OutageLog outage = this.outages.remove(server);
			if (outage != null) {
				outage.replaced();
			}
		});
	}

	/**
	 * Return whether the connection to the server of a key was lost within a time, so
	 * that the next connection is probably about to open.
	 */
	public final boolean isReconnecting(String key, long nanos) {
		OutageLog outage = this.outages.get(addressOf(key));
		return outage == null || outage.isShorterThan(nanos);
	}

	/** Load all scripts on a server, or join a load in progress. */
	final CompletableFuture<Void> load(String server,
			CompletionStage<? extends RedisScriptingAsyncCommands<String, V>> commands) {
		CompletableFuture<Void> load = new CompletableFuture<>();
		CompletableFuture<Void> present = this.loads.putIfAbsent(server, load);
		if (present != null) {
			return present;
		}
		commands.thenCompose(this::loadAll).whenComplete((done, failure) -> {
			this.loads.remove(server);
			StageFailure.pass(done, failure, load);
		});
		return load;
	}

	private CompletableFuture<Void> loadAll(RedisScriptingAsyncCommands<String, V> commands) {
		return CompletableFuture.allOf(this.scripts.stream()
			.map((script) -> commands.scriptLoad(script.text()).toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

	/** Wait for loads. A script that is not loaded is sent with its text later. */
	static void awaitLoads(Duration timeout, CompletableFuture<?>... loads) {
		FutureWait.await(CompletableFuture.allOf(loads), timeout);
	}

	/**
	 * UTF-8 codec that computes the length of a text before it is written. Lettuce then
	 * writes keys and arguments, of which a script has a dozen, directly into the command
	 * instead of copying each of them from a temporary buffer.
	 */
	static final class ExactUtf8Codec extends StringCodec {

		ExactUtf8Codec() {
			super(StandardCharsets.UTF_8);
		}

		@Override
		public boolean isEstimateExact() {
			return true;
		}

		@Override
		public int estimateSize(Object text) {
			return ByteBufUtil.utf8Bytes((String) text);
		}

	}

}
