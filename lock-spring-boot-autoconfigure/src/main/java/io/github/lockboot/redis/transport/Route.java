package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

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
	 * Whether a script may have these keys together.
	 * @param keys the keys
	 * @return false if they lie in different slots
	 */
	boolean isOneSlot(Collection<String> keys);

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
	 * Ask a server for its time.
	 * @param server its name
	 * @return seconds and microseconds; fails if the server is gone
	 */
	CompletableFuture<List<V>> time(String server);

	/**
	 * A command has failed: perhaps the servers have changed their roles.
	 * @param failure how
	 */
	void suspect(Throwable failure);

	@Override
	void close();

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
	 * Run a script. Redis is sent its digest, and its text only if it has forgotten it.
	 * @param commands those of the servers
	 * @param script the script, which answers with an array or a number
	 * @param keys its keys
	 * @param arguments its arguments
	 * @return the array, a number as an array of one
	 */
	static <V> CompletableFuture<List<Object>> run(RedisScriptingAsyncCommands<String, V> commands, LuaScript script,
			String[] keys, V[] arguments) {
		CompletableFuture<List<Object>> reply = commands
			.<List<Object>>evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments)
			.toCompletableFuture();
		return reply.exceptionallyCompose((failure) -> isForgotten(failure)
				? commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
				: CompletableFuture.failedStage(failure));
	}

	private static boolean isForgotten(Throwable failure) {
		return StageFailure.cause(failure) instanceof RedisNoScriptException;
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
