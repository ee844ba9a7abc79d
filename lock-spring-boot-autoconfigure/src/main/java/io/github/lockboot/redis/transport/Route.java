package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

/**
 * The way to the servers of one topology. Thread-safe.
 */
interface Route extends AutoCloseable {

	/**
	 * Return the commands that run scripts where their keys lie.
	 * @return always the same
	 */
	RedisScriptingAsyncCommands<String, String> commands();

	/**
	 * Open an inbox for what is published anywhere.
	 * @param channel name of the channel
	 * @param onMessage told each message
	 * @param onOpen told each time that the subscription stands anew
	 * @return the inbox
	 */
	Inbox inbox(String channel, Consumer<String> onMessage, Runnable onOpen);

	/**
	 * Open an inbox for what scripts publish.
	 * @param prefix prefix of the channels
	 * @param name name of the reader, the rest of each channel
	 * @param onMessage told each message
	 * @param onOpen told each time that a subscription stands anew
	 * @return the inbox
	 */
	Inbox inbox(String prefix, String name, Consumer<String> onMessage, Runnable onOpen);

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
	 * Return who lends connections to the master of a key.
	 * @param key the key
	 * @return the same for the same master
	 */
	LoanOffice loans(String key);

	/**
	 * Whether {@link #suspect} does anything.
	 * @return true if so
	 */
	boolean isToldOfFailures();

	/**
	 * A command has failed: perhaps the servers have changed their roles.
	 */
	void suspect();

	@Override
	void close();

	/**
	 * Load scripts. One that can't be loaded, for lack of a permission perhaps, is sent
	 * with its text later.
	 * @param scripts the scripts
	 * @param commands those of one server
	 * @return completed when all is loaded, or one can't be
	 */
	static CompletableFuture<Void> load(Collection<LuaScript> scripts,
			RedisScriptingAsyncCommands<String, String> commands) {
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
