package io.github.lockboot.redis.connection;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.RedisCodec;

import io.github.lockboot.concurrent.OutageLog;

/**
 * A connection to one master: a standalone server, the master that Sentinels name, or the
 * master of a static set. A new connection may lead to another server.
 */
final class StandaloneConnection<V> extends RedisConnection<V> {

	/**
	 * The time between two reconnections, because the server may be the right one and
	 * refuse writes for other reasons.
	 */
	private static final long RECONNECT_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final Pattern SEVERAL_MASTERS = Pattern.compile("cluster_size:(?![01]\\b)");

	private final ConnectionSource client;

	private final String address;

	private final RedisAsyncCommands<String, V> commands;

	private final ReplicatedScripts<V> replicated;

	private final ReplicatedScripts<V> replicatedInBackground;

	private final AtomicLong reconnectedNanos = new AtomicLong();

	private volatile Set<String> servers = Set.of("0");

	/** Connect, and load scripts within a time limit. */
	static <V> RedisConnection<V> connect(ConnectionSource client, RedisCodec<String, V> codec,
			Collection<LuaScript> scripts, Duration loadLimit) {
		StatefulRedisConnection<String, V> server = client.connect(codec);
		StandaloneConnection<V> connection = new StandaloneConnection<>(client, server, codec, scripts);
		CompletableFuture<Boolean> several = mayBeInCluster(server) ? server.async()
			.clusterInfo()
			.handle((info, failure) -> failure == null && SEVERAL_MASTERS.matcher(info).find())
			.toCompletableFuture() : CompletableFuture.completedFuture(false);
		awaitLoads(loadLimit, connection.load(""), several);
		if (several.getNow(false)) {
			throw new RedisCommandExecutionException(
					"MOVED would be the reply for most keys, which other masters of the Cluster have");
		}
		return connection;
	}

	/** Return whether the server is in a cluster, as far as its handshake says. */
	private static boolean mayBeInCluster(StatefulRedisConnection<?, ?> server) {
		return server instanceof StatefulRedisConnectionImpl<?, ?> lettuce
				&& !"standalone".equals(lettuce.getConnectionState().getMode());
	}

	private StandaloneConnection(ConnectionSource client, StatefulRedisConnection<String, V> connection,
			RedisCodec<String, V> codec, Collection<LuaScript> scripts) {
		super(client, true, connection, connection.async(), codec, scripts);
		this.client = client;
		this.reconnectedNanos.set(client.nanoTime() - RECONNECT_PAUSE_NANOS);
		this.address = client.address();
		this.commands = connection.async();
		this.replicated = new ReplicatedScripts<>(codec, () -> client.connectAsync(codec));
		this.replicatedInBackground = new ReplicatedScripts<>(codec, () -> client.connectAsync(codec));
		connection.addListener(new StateListener());
		client.watchMaster(this::reconnect);
		client.onConnectionError((server, failure) -> connectionFailed(this.address, failure));
	}

	@Override
	CompletionStage<RedisAsyncCommands<String, V>> commands(String server) {
		return this.servers.contains(server) ? CompletableFuture.completedStage(this.commands)
				: CompletableFuture.failedStage(new RedisException("The server was reconnected"));
	}

	@Override
	CompletableFuture<Void> load(String key) {
		return load("", CompletableFuture.completedStage(this.commands));
	}

	@Override
	public Subscription subscribe(Subscription.Listener<V> listener) {
		NodeSubscription<V> subscription = new NodeSubscription<>(listener, false, listener::refused,
				this::countSubscribers);
		subscription.connected(this.client.connectPubSub(codec()));
		return subscription;
	}

	@Override
	public Subscription subscribe(String prefix, String reader, Subscription.Listener<V> listener) {
		Subscription subscription = subscribe(listener);
		subscription.add(prefix + reader);
		return subscription;
	}

	/**
	 * Return the number of subscribers at the master. A subscription at a replica also
	 * receives the messages but is not counted.
	 */
	private CompletionStage<Long> countSubscribers(String channel) {
		return this.commands.publish(channel, codec().decodeValue(ByteBuffer.allocate(0)));
	}

	@Override
	ReplicatedScripts<V> replicated(String key, boolean awaited) {
		return awaited ? this.replicated : this.replicatedInBackground;
	}

	@Override
	public Set<String> servers() {
		return this.servers;
	}

	@Override
	String addressOf(String key) {
		return this.address;
	}

	/**
	 * Reconnect if the server is not the master. Lettuce looks up the master at each
	 * reconnection.
	 */
	@Override
	void onFailure(Throwable failure) {
		if (Refusals.isNotMaster(failure)) {
			reconnect();
		}
	}

	/** Reconnect to the master, unless that was just done. */
	private void reconnect() {
		long now = this.client.nanoTime();
		long last = this.reconnectedNanos.get();
		if (now - last >= RECONNECT_PAUSE_NANOS && this.reconnectedNanos.compareAndSet(last, now)) {
			this.commands.quit();
			this.replicated.reconnect();
			this.replicatedInBackground.reconnect();
		}
	}

	@Override
	void closeConnections() {
		this.replicated.close();
		this.replicatedInBackground.close();
	}

	private final class StateListener implements RedisConnectionStateListener {

		/**
		 * Load the scripts before any other command, because the server may have lost
		 * them.
		 */
		@Override
		public void onRedisConnected(RedisChannelHandler<?, ?> connected, SocketAddress remote) {
			load("");
			answered(StandaloneConnection.this.address);
		}

		/** Start a timer, because no call fails while no lock is requested. */
		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
			StandaloneConnection<V> connection = StandaloneConnection.this;
			int server = Integer.parseInt(connection.servers.iterator().next());
			connection.servers = Set.of(String.valueOf(server + 1));
			disconnected(connection.address);
			connection.client.schedule(() -> checkOutage(connection.address), OutageLog.PATIENCE_NANOS);
		}

	}

}
