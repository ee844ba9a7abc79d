package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

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

	private final Route<String> route;

	private RedisTransport(PrivateConnectionFactory factory, Route<String> route) {
		this.factory = factory;
		this.route = route;
	}

	/**
	 * Connect to the servers of an application.
	 * @param application how the application connects
	 * @param applicationName what the names of the connections begin with, if anything
	 * @param commandTimeout time limit for the handshake of a connection
	 * @param scripts scripts to load
	 * @return the transport
	 * @throws RedisException if no server can be reached, or it refuses
	 */
	public static RedisTransport connect(ConnectionSettings application, @Nullable String applicationName,
			Duration commandTimeout, Collection<LuaScript> scripts) {
		PrivateConnectionFactory factory = PrivateConnectionFactory.of(application,
				new ClientName(applicationName, "locks"), commandTimeout);
		try {
			return new RedisTransport(factory, factory.connect(new ExactUtf8Codec(), scripts, commandTimeout));
		}
		catch (RuntimeException ex) {
			factory.close();
			throw ex;
		}
	}

	/**
	 * Run a script. Redis is sent its digest, and its text only if it has forgotten it.
	 * @param script the script, which answers with an array or a number
	 * @param keys its keys, all in one slot
	 * @param arguments its arguments
	 * @return the array, a number as an array of one: numbers as {@link Long}, texts as
	 * {@link String}. It fails at once while there is no connection; it has no time limit
	 * of its own, and may be completed exceptionally by the caller to give it up. It
	 * fails with a {@link CommandNotSentException} if the script was not sent.
	 */
	public CompletableFuture<List<Object>> run(LuaScript script, String[] keys, String... arguments) {
		return this.route.run(script, keys, arguments);
	}

	/**
	 * Run a script and wait until replicas have what it wrote, without delaying
	 * {@link #run}.
	 * @param script the script, which answers with an array or a number
	 * @param keys its keys, all in one slot
	 * @param replicas how many replicas are waited for, the same in all calls
	 * @param limitMillis how long they are waited for, in milliseconds
	 * @param arguments its arguments
	 * @return the array, a number as an array of one; it fails if too few replicas have
	 * it in time, although the script has run. It may be completed exceptionally by the
	 * caller to give it up.
	 */
	public CompletableFuture<List<Object>> runReplicated(LuaScript script, String[] keys, int replicas,
			long limitMillis, String... arguments) {
		return this.route.suspectIfFailed(this.route.replicated(keys[0])
			.run(new ReplicatedScripts.Call(script, keys, arguments, replicas, limitMillis)));
	}

	/**
	 * Ask a single server about itself.
	 * @return what INFO tells in its section of that name; it fails if the user may not
	 * ask
	 */
	public CompletableFuture<String> serverInfo() {
		return this.route.commands().info("server").toCompletableFuture();
	}

	/**
	 * Ask all servers about their memory.
	 * @return what INFO tells, by each; one fails if the user may not ask
	 */
	public List<CompletableFuture<String>> memoryInfo() {
		return this.route.servers().stream().map((server) -> this.route.info(server, "memory")).toList();
	}

	/**
	 * Open a channel by which Redis pushes to this JVM.
	 * @param channel name of the channel
	 * @param onMessage told each message, on a thread of Netty; must not block. In a
	 * cluster a message may come twice
	 * @param onOpen told each time that the subscription stands anew
	 * @return the inbox, which is open once Redis has agreed
	 */
	public Inbox inbox(String channel, Consumer<String> onMessage, Runnable onOpen) {
		Subscriptions subscriptions = this.route.subscriptions(new TextInbox.Listener(onMessage, onOpen));
		subscriptions.subscribe(channel);
		return new TextInbox(subscriptions);
	}

	/**
	 * Open a channel by which scripts push to this JVM: they publish to the channel that
	 * is called as {@link #channels} tells for one of their keys, and then as its reader.
	 * @param prefix prefix of the channels, without braces
	 * @param reader name of the reader, the rest of the channel
	 * @param onMessage told each message, on a thread of Netty; must not block. In a
	 * cluster a message may come twice
	 * @param onOpen told each time that a subscription stands anew
	 * @return the inbox, which is open once Redis has agreed
	 */
	public Inbox inbox(String prefix, String reader, Consumer<String> onMessage, Runnable onOpen) {
		return new TextInbox(this.route.subscriptions(prefix, reader, new TextInbox.Listener(onMessage, onOpen)));
	}

	/**
	 * Return the prefix of the channels to which a script publishes.
	 * @param prefix their prefix, without braces
	 * @param key a key of the script
	 * @return the prefix itself; or in a cluster the prefix with a hash tag behind it,
	 * for sharded channels on the node that serves the key; or with an empty one for
	 * channels that are not sharded. In a cluster nobody can count who listens.
	 */
	public String channels(String prefix, String key) {
		return this.route.channels(prefix, key);
	}

	@Override
	public void close() {
		this.route.close();
		this.factory.close();
	}

}
