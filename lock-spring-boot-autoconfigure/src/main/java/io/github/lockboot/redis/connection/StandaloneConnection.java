package io.github.lockboot.redis.connection;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import io.netty.util.concurrent.EventExecutorGroup;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;

/**
 * A connection to one master: a standalone server, the one that Sentinels name, or the
 * one of a static set. Behind each new connection there may be another server.
 *
 * @param <V> type of values, arguments and messages
 */
final class StandaloneConnection<V> extends RedisConnection<V> {

	/**
	 * Answers of a server that is not the right master: a replica, or a master that its
	 * replicas have left. Before Redis 7, what a command in a script answers is within a
	 * longer text.
	 */
	private static final List<String> NOT_MASTER = List.of("READONLY ", "MASTERDOWN ", "NOREPLICAS ");

	/** The server may be the right one, and have other reasons not to be written to. */
	private static final long RECONNECT_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RedisClient client;

	private final String address;

	private final StatefulRedisConnection<String, V> connection;

	private final ReplicatedScripts<V> replicated;

	private final AtomicLong reconnectedNanos = new AtomicLong(System.nanoTime() - RECONNECT_PAUSE_NANOS);

	private volatile Set<String> servers = Set.of("0");

	/**
	 * Connects, and loads scripts within a time limit.
	 * @throws RedisException if the server can't be reached or refuses
	 */
	StandaloneConnection(RedisClient client, String address, RedisCodec<String, V> codec, Collection<LuaScript> scripts,
			Duration loadLimit, OutageLog outages, Runnable closeClient) {
		super(codec, scripts, outages, closeClient);
		this.client = client;
		this.address = address;
		this.connection = client.connect(codec);
		this.replicated = new ReplicatedScripts<>(codec, this::connectInBackground);
		this.connection.addListener(new StateListener());
		awaitLoads(loadLimit, load(""));
	}

	/** {@link RedisClient} can't connect to its own server without blocking. */
	private CompletableFuture<StatefulRedisConnection<String, V>> connectInBackground() {
		return CompletableFuture.supplyAsync(() -> this.client.connect(codec()), new DaemonThreads("lock-connector"));
	}

	@Override
	StatefulRedisConnection<String, V> connection() {
		return this.connection;
	}

	@Override
	RedisAsyncCommands<String, V> commands() {
		return this.connection.async();
	}

	@Override
	CompletionStage<RedisAsyncCommands<String, V>> commands(String server) {
		return this.servers.contains(server) ? CompletableFuture.completedStage(commands())
				: CompletableFuture.failedStage(new RedisException("The connection was made anew"));
	}

	@Override
	CompletableFuture<Void> load(String key) {
		return load("", CompletableFuture.completedStage(commands()));
	}

	@Override
	public Subscription subscribe(SubscriptionListener<V> listener) {
		NodeSubscription<V> subscription = new NodeSubscription<>(listener, false, this::countSubscribers);
		subscription.connected(this.client.connectPubSub(codec()));
		return subscription;
	}

	@Override
	public Subscription subscribe(String prefix, String reader, SubscriptionListener<V> listener) {
		Subscription subscription = subscribe(listener);
		subscription.add(prefix + reader);
		return subscription;
	}

	/** A subscription at a replica hears the master too, but is not counted there. */
	private CompletionStage<Long> countSubscribers(String channel) {
		return commands().publish(channel, codec().decodeValue(ByteBuffer.allocate(0)));
	}

	@Override
	public String channels(String prefix, String key) {
		return prefix;
	}

	@Override
	ReplicatedScripts<V> replicated(String key) {
		return this.replicated;
	}

	@Override
	public Set<String> servers() {
		return this.servers;
	}

	@Override
	public String serverOf(String key) {
		return "";
	}

	@Override
	String addressOf(String key) {
		return this.address;
	}

	/** At each reconnection Lettuce asks anew where the master is. */
	@Override
	void onFailure(Throwable failure) {
		if (!isNotMaster(failure)) {
			return;
		}
		long now = System.nanoTime();
		long last = this.reconnectedNanos.get();
		if (now - last >= RECONNECT_PAUSE_NANOS && this.reconnectedNanos.compareAndSet(last, now)) {
			commands().quit();
		}
	}

	/** Whether a server says that the connection should lead to another one. */
	static boolean isNotMaster(Throwable failure) {
		@Nullable Throwable cause = failure;
		while (cause != null && !(cause instanceof RedisCommandExecutionException)) {
			cause = cause.getCause();
		}
		String answer = (cause != null) ? cause.getMessage() : null;
		return answer != null && NOT_MASTER.stream().anyMatch(answer::contains);
	}

	@Override
	void closeConnections() {
		this.replicated.close();
		this.connection.close();
	}

	private final class StateListener implements RedisConnectionStateListener {

		/** Written before any other command: the server may have forgotten all. */
		@Override
		public void onRedisConnected(RedisChannelHandler<?, ?> connected, SocketAddress remote) {
			load("");
			outages().answered(StandaloneConnection.this.address);
		}

		/** No call need fail: perhaps nobody wants a lock. */
		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
			StandaloneConnection<V> connection = StandaloneConnection.this;
			int server = Integer.parseInt(connection.servers.iterator().next());
			connection.servers = Set.of(String.valueOf(server + 1));
			EventExecutorGroup executor = connection.client.getResources().eventExecutorGroup();
			if (!executor.isShuttingDown()) {
				outages().disconnected(connection.address);
				executor.schedule(() -> outages().look(connection.address), OutageLog.PATIENCE_NANOS,
						TimeUnit.NANOSECONDS);
			}
		}

	}

}
