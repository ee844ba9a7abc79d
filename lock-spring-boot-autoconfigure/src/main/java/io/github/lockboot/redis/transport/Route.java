package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.RedisCodec;

import io.github.lockboot.concurrent.StageFailure;

/**
 * The way to the servers of one topology. Thread-safe.
 *
 * @param <V> type of values, arguments and messages
 */
interface Route<V> extends AutoCloseable {

	/**
	 * Return the commands that run where their keys lie.
	 * @return always the same
	 */
	RedisClusterAsyncCommands<String, V> commands();

	/**
	 * Return the connection of these commands.
	 * @return always the same
	 */
	StatefulConnection<String, V> connection();

	/**
	 * Return how values are written.
	 * @return the codec of the connection
	 */
	RedisCodec<String, V> codec();

	/**
	 * Load the scripts again on the server of a key, which has forgotten them. Who comes
	 * while they are loaded joins.
	 * @param key the key
	 * @return completed when they are loaded; fails if they can't be
	 */
	CompletableFuture<Void> load(String key);

	/**
	 * Listen to what is published anywhere.
	 * @param listener told what happens
	 * @return no channel yet
	 */
	Subscriptions subscriptions(ChannelListener<V> listener);

	/**
	 * Listen to what scripts publish.
	 * @param prefix prefix of the channels
	 * @param reader name of the reader, the rest of each channel
	 * @param listener told what happens
	 * @return all its channels
	 */
	Subscriptions subscriptions(String prefix, String reader, ChannelListener<V> listener);

	/**
	 * Return the prefix of the channels to which a script may publish.
	 * @param prefix their prefix
	 * @param key a key of the script
	 * @return the prefix itself, or with braces at its end
	 */
	String channels(String prefix, String key);

	/**
	 * Return what runs scripts at the master of a key and waits for its replicas.
	 * @param key the key
	 * @return the same for the same master
	 */
	ReplicatedScripts replicated(String key);

	/**
	 * Return the names of the servers that commands go to.
	 * @return the same object until they change
	 */
	Set<String> servers();

	/**
	 * Return to which of several servers commands on a key go.
	 * @param key the key
	 * @return its name, empty if there is only one or it is not known
	 */
	String serverOf(String key);

	/**
	 * Return who serves a key, as a person would look for it.
	 * @param key the key
	 * @return host and port, or another name
	 */
	String addressOf(String key);

	/**
	 * Return which servers do not answer.
	 * @return always the same
	 */
	OutageLog outages();

	/**
	 * Ask a server for its time.
	 * @param server its name
	 * @return seconds and microseconds; fails if the server is gone
	 */
	CompletableFuture<List<V>> time(String server);

	/**
	 * Ask a server about itself.
	 * @param server its name
	 * @param section section of what INFO tells
	 * @return the section; fails if the server is gone, or the user may not ask
	 */
	CompletableFuture<String> info(String server, String section);

	/**
	 * A command has failed: perhaps the servers have changed their roles.
	 * @param failure how
	 */
	void suspect(Throwable failure);

	@Override
	void close();

	/**
	 * Note whether the server of a key answers a command, and call {@link #suspect} if
	 * the command fails.
	 * @param key the key
	 * @param reply its reply
	 * @return the same reply
	 */
	default <T> CompletableFuture<T> watched(String key, CompletableFuture<T> reply) {
		reply.whenComplete((result, failure) -> {
			if (failure != null) {
				suspect(failure);
			}
			if (failure != null && !(StageFailure.cause(failure) instanceof RedisCommandExecutionException)) {
				outages().failed(addressOf(key), failure);
			}
			else if (!outages().isEmpty()) {
				outages().answered(addressOf(key));
			}
		});
		return reply;
	}

	/**
	 * Call {@link #suspect} if a command fails.
	 * @param reply its reply
	 * @return the same reply
	 */
	default <T> CompletableFuture<T> suspectIfFailed(CompletableFuture<T> reply) {
		reply.whenComplete((result, failure) -> {
			if (failure != null) {
				suspect(failure);
			}
		});
		return reply;
	}

	/**
	 * Run a script.
	 * @param script the script, which answers with an array or a number
	 * @param keys its keys
	 * @param arguments its arguments
	 * @return the array, a number as an array of one
	 * @see ScriptReply
	 */
	default CompletableFuture<List<Object>> run(LuaScript script, String[] keys, V[] arguments) {
		return watched(keys[0],
				new ScriptReply<>(connection(), codec(), script, keys, arguments, () -> load(keys[0])).send());
	}

	/**
	 * Load scripts. One that can't be loaded, for lack of a permission perhaps, is sent
	 * with its text later.
	 * @param scripts the scripts
	 * @param commands those of one server
	 * @return completed when all is loaded, or one can't be
	 */
	static CompletableFuture<Void> load(Collection<LuaScript> scripts,
			RedisScriptingAsyncCommands<String, ?> commands) {
		return CompletableFuture.allOf(scripts.stream()
			.map((script) -> commands.scriptLoad(script.text()).toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

	/**
	 * Wait until scripts are loaded, or go on without them.
	 * @param loads what is waited for
	 * @param timeout how long
	 */
	static void awaitLoads(Duration timeout, Future<?>... loads) {
		try {
			LettuceFutures.awaitAll(timeout, loads);
		}
		catch (RedisException ex) {
			// sent with their texts then
		}
	}

}
