package io.github.lockboot.redis.transport;

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
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import io.netty.util.concurrent.EventExecutorGroup;

import io.github.lockboot.concurrent.DaemonThreads;

/**
 * The way to one master: a standalone server, the one that Sentinels name, or the one of
 * a static set. Behind each new connection there may be another server.
 *
 * @param <V> type of values, arguments and messages
 */
final class SingleRoute<V> implements Route<V> {

	/** The server may be the right one, and have other reasons not to be written to. */
	private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RedisClient client;

	private final RedisCodec<String, V> codec;

	private final StatefulRedisConnection<String, V> connection;

	private final ReplicatedScripts replicated;

	private final Collection<LuaScript> scripts;

	private final String address;

	private final OutageLog outages;

	private final ScriptLoads loads = new ScriptLoads();

	private final AtomicLong givenUpNanos = new AtomicLong(System.nanoTime() - PAUSE_NANOS);

	private volatile Set<String> servers = Set.of("0");

	private SingleRoute(RedisClient client, String address, RedisCodec<String, V> codec,
			StatefulRedisConnection<String, V> connection, Collection<LuaScript> scripts, OutageLog outages) {
		this.client = client;
		this.codec = codec;
		this.connection = connection;
		this.scripts = scripts;
		this.address = address;
		this.outages = outages;
		this.replicated = new ReplicatedScripts(() -> connectInBackground(client));
	}

	/**
	 * Connect and load scripts.
	 * @param client the client
	 * @param address how a person calls the server
	 * @param codec how values are written
	 * @param scripts the scripts
	 * @param timeout time limit for the loading
	 * @param outages told whether the server answers
	 * @return the way
	 * @throws RedisException if the server can't be reached or refuses
	 */
	static <V> SingleRoute<V> connect(RedisClient client, String address, RedisCodec<String, V> codec,
			Collection<LuaScript> scripts, Duration timeout, OutageLog outages) {
		StatefulRedisConnection<String, V> connection = client.connect(codec);
		SingleRoute<V> route = new SingleRoute<>(client, address, codec, connection, scripts, outages);
		connection.addListener(new RedisConnectionStateListener() {

			/** Written before any other command: the server may have forgotten all. */
			@Override
			public void onRedisConnected(RedisChannelHandler<?, ?> connected, SocketAddress remote) {
				route.load("");
				outages.answered(address);
			}

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				route.renameServer();
				route.disconnected();
			}

		});
		Route.awaitLoads(timeout, route.load(""));
		return route;
	}

	/** No call need fail: perhaps nobody wants a lock. */
	private void disconnected() {
		EventExecutorGroup executor = this.client.getResources().eventExecutorGroup();
		if (!executor.isShuttingDown()) {
			this.outages.disconnected(this.address);
			executor.schedule(() -> this.outages.look(this.address), OutageLog.PATIENCE_NANOS, TimeUnit.NANOSECONDS);
		}
	}

	private void renameServer() {
		this.servers = Set.of(String.valueOf(Integer.parseInt(server()) + 1));
	}

	private String server() {
		return this.servers.iterator().next();
	}

	/** A client keeps to itself how to connect to its own server without blocking. */
	private static CompletableFuture<StatefulRedisConnection<String, String>> connectInBackground(RedisClient client) {
		return CompletableFuture.supplyAsync(() -> client.connect(new ExactUtf8Codec()),
				new DaemonThreads("lock-connector"));
	}

	@Override
	public RedisAsyncCommands<String, V> commands() {
		return this.connection.async();
	}

	@Override
	public StatefulRedisConnection<String, V> connection() {
		return this.connection;
	}

	@Override
	public RedisCodec<String, V> codec() {
		return this.codec;
	}

	@Override
	public CompletableFuture<Void> load(String key) {
		return this.loads.join("", () -> Route.load(this.scripts, commands()));
	}

	@Override
	public Subscriptions subscriptions(ChannelListener<V> listener) {
		return Subscriber.on(this.client.connectPubSub(this.codec), Subscriber.Kind.CLASSIC, listener, this::hearers);
	}

	/** A subscription at a replica hears the master too, but is not counted there. */
	private CompletionStage<Long> hearers(String channel) {
		return commands().publish(channel, this.codec.decodeValue(ByteBuffer.allocate(0)));
	}

	@Override
	public Subscriptions subscriptions(String prefix, String reader, ChannelListener<V> listener) {
		Subscriptions subscriptions = subscriptions(listener);
		subscriptions.subscribe(prefix + reader);
		return subscriptions;
	}

	@Override
	public String channels(String prefix, String key) {
		return prefix;
	}

	@Override
	public ReplicatedScripts replicated(String key) {
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
	public String addressOf(String key) {
		return this.address;
	}

	@Override
	public OutageLog outages() {
		return this.outages;
	}

	@Override
	public CompletableFuture<List<V>> time(String server) {
		return server.equals(server()) ? commands().time().toCompletableFuture()
				: CompletableFuture.failedFuture(new RedisException("The connection was made anew"));
	}

	@Override
	public CompletableFuture<String> info(String server, String section) {
		return commands().info(section).toCompletableFuture();
	}

	/**
	 * A connection to a server that may not be written to is given up: at each
	 * reconnection Lettuce asks anew where the master is.
	 */
	@Override
	public void suspect(Throwable failure) {
		if (!Misplacement.isToldBy(failure)) {
			return;
		}
		long now = System.nanoTime();
		long last = this.givenUpNanos.get();
		if (now - last >= PAUSE_NANOS && this.givenUpNanos.compareAndSet(last, now)) {
			commands().quit();
		}
	}

	@Override
	public void close() {
		this.outages.close();
		this.replicated.close();
		this.connection.close();
	}

}
