package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

/**
 * The way to one master: a standalone server, the one that Sentinels name, or the one of
 * a static set.
 */
final class SingleRoute implements Route {

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final LoanOffice loans;

	private SingleRoute(RedisClient client, StatefulRedisConnection<String, String> connection) {
		this.client = client;
		this.connection = connection;
		this.loans = new LoanOffice(() -> connectInBackground(client));
	}

	/**
	 * Connect and load scripts.
	 * @param client the client
	 * @param scripts the scripts
	 * @param timeout time limit for the loading
	 * @return the way
	 * @throws RedisException if the server can't be reached or refuses
	 */
	static SingleRoute connect(RedisClient client, Collection<LuaScript> scripts, Duration timeout) {
		StatefulRedisConnection<String, String> connection = client.connect(new ExactUtf8Codec());
		Route.awaitLoads(timeout, Route.load(scripts, connection.async()));
		return new SingleRoute(client, connection);
	}

	/** A client keeps to itself how to connect to its own server without blocking. */
	private static CompletableFuture<StatefulRedisConnection<String, String>> connectInBackground(RedisClient client) {
		return CompletableFuture.supplyAsync(() -> client.connect(new ExactUtf8Codec()), (task) -> {
			Thread thread = new Thread(task, "lock-connector");
			thread.setDaemon(true);
			thread.start();
		});
	}

	@Override
	public RedisAsyncCommands<String, String> commands() {
		return this.connection.async();
	}

	@Override
	public Inbox inbox(String channel, Consumer<String> onMessage, Runnable onOpen) {
		return SingleInbox.subscribe(this.client, channel, onMessage, onOpen);
	}

	@Override
	public Inbox inbox(String prefix, String name, Consumer<String> onMessage, Runnable onOpen) {
		return inbox(prefix + name, onMessage, onOpen);
	}

	@Override
	public String channels(String prefix, String key) {
		return prefix;
	}

	@Override
	public boolean isOneSlot(Collection<String> keys) {
		return true;
	}

	@Override
	public LoanOffice loans(String key) {
		return this.loans;
	}

	@Override
	public boolean isToldOfFailures() {
		return false;
	}

	@Override
	public void suspect() {
		// Lettuce asks for the server's address at each reconnection
	}

	@Override
	public void close() {
		this.loans.close();
		this.connection.close();
	}

}
