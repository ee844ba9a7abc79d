package io.github.lockboot.redis.connection;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.FutureWait;

/**
 * The library's own Lettuce client, with the server, credentials and TLS of the
 * application, but with threads and client options for locks.
 */
final class PrivateClient implements ConnectionSource {

	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(500);

	private static final Duration LONGEST_CONNECT_TIMEOUT = Duration.ofSeconds(3);

	/** A JVM that has just started may take long for a handshake. */
	private static final Duration SHORTEST_HANDSHAKE_LIMIT = Duration.ofSeconds(5);

	/** The limit in a cluster, which has other nodes if one does not respond. */
	private static final Duration SHORTEST_HANDSHAKE_LIMIT_IN_CLUSTER = Duration.ofSeconds(1);

	private static final Duration SHORTEST_IDLE_LIMIT = Duration.ofSeconds(1);

	private final OneThread eventLoops;

	private final ClientResources resources;

	private final LettuceConnectionFactory factory;

	private final RedisConfiguration server;

	private final String users;

	/** Present with Sentinels, which name the master. */
	private final @Nullable RedisURI masterOfSentinels;

	private volatile @Nullable RedisClient sentinels;

	private final AtomicBoolean closed = new AtomicBoolean();

	private PrivateClient(OneThread eventLoops, ClientResources resources, LettuceConnectionFactory factory,
			RedisConfiguration server, String users) {
		this.eventLoops = eventLoops;
		this.resources = resources;
		this.factory = factory;
		this.server = server;
		this.users = users;
		this.masterOfSentinels = (server instanceof RedisSentinelConfiguration sentinels)
				? nodeUris().ofMaster(sentinels) : null;
	}

	/**
	 * Create a client without connections, after a search for the master of a static set.
	 * @param applicationName prefix of the names of the connections in
	 * {@code CLIENT LIST}, unless the application has set a client name
	 * @param users the rest of the names: the locks or the cache
	 * @throws RedisException if a static set has no master that can be reached
	 */
	static PrivateClient of(ConnectionSettings application, @Nullable String applicationName, String users,
			Duration commandTimeout) {
		return (application.server() instanceof StaticMasterReplicaConfiguration set)
				? ofMaster(set, application, applicationName, users, commandTimeout)
				: ofServer(application, applicationName, users, commandTimeout);
	}

	private static PrivateClient ofServer(ConnectionSettings application, @Nullable String applicationName,
			String users, Duration commandTimeout) {
		RedisConfiguration server = application.server();
		OneThread eventLoops = new OneThread();
		ClientResources resources = resources(application, eventLoops, idleLimit(commandTimeout));
		LettuceConnectionFactory factory = new ClientFactory(server,
				client(application, clientName(application.client().getClientName().orElse(applicationName), users),
						resources, handshakeLimit(server, commandTimeout)));
		factory.start();
		if (factory.getRequiredNativeClient() instanceof RedisClusterClient cluster) {
			cluster.setOptions(clusterOptions((ClusterClientOptions) cluster.getOptions()));
		}
		return new PrivateClient(eventLoops, resources, factory, server, users);
	}

	/** Connect to the master only, so that no command can reach a replica. */
	private static PrivateClient ofMaster(StaticMasterReplicaConfiguration set, ConnectionSettings application,
			@Nullable String applicationName, String users, Duration commandTimeout) {
		RedisException failure = new RedisException("all are replicas");
		for (RedisStandaloneConfiguration node : set.getNodes()) {
			node.setUsername(set.getUsername()); // which the set does not copy
			PrivateClient candidate = ofServer(application.withServer(node), applicationName, users, commandTimeout);
			try {
				if (candidate.isMaster()) {
					return candidate;
				}
			}
			catch (RedisException ex) {
				failure = ex;
			}
			candidate.close();
		}
		throw new RedisConnectionException("No master was found among the configured servers", failure);
	}

	private boolean isMaster() {
		try (StatefulRedisConnection<String, String> connection = serverClient().connect()) {
			return "master".equals(connection.sync().role().get(0));
		}
	}

	@Override
	public String users() {
		return this.users;
	}

	@Override
	public String address() {
		if (this.server instanceof RedisConfiguration.SentinelConfiguration sentinels
				&& sentinels.getMaster() != null) {
			return "master " + sentinels.getMaster().getName();
		}
		if (this.server instanceof RedisConfiguration.WithDomainSocket file) {
			return file.getSocket();
		}
		return RedisConfiguration.getHostOrElse(this.server, () -> "localhost") + ":"
				+ RedisConfiguration.getPortOrElse(this.server, () -> 6379);
	}

	NodeUris nodeUris() {
		return new NodeUris(this.server, this.factory.getClientConfiguration());
	}

	@Override
	public Executor connectionThread() {
		return this.eventLoops.thread();
	}

	AbstractRedisClient client() {
		return this.factory.getRequiredNativeClient();
	}

	RedisClient serverClient() {
		return (RedisClient) client();
	}

	@Override
	public <V> StatefulRedisConnection<String, V> connect(RedisCodec<String, V> codec) {
		RedisURI master = this.masterOfSentinels;
		return (master != null) ? serverClient().connect(codec, master) : serverClient().connect(codec);
	}

	/** A RedisClient has no asynchronous connect to its own server. */
	@Override
	public <V> CompletionStage<StatefulRedisConnection<String, V>> connectAsync(RedisCodec<String, V> codec) {
		return CompletableFuture.supplyAsync(() -> connect(codec), new DaemonThreads("lock-connector"));
	}

	@Override
	public <V> StatefulRedisPubSubConnection<String, V> connectPubSub(RedisCodec<String, V> codec) {
		RedisURI master = this.masterOfSentinels;
		return (master != null) ? serverClient().connectPubSub(codec, master) : serverClient().connectPubSub(codec);
	}

	@Override
	public void watchMaster(Runnable onSwitch) {
		RedisURI master = this.masterOfSentinels;
		if (master != null) {
			// the watch connects again, without a warning for each attempt
			RedisClient sentinels = new AsyncRedisClient(this.resources, master,
					serverClient().getOptions().mutate().autoReconnect(false).build());
			this.sentinels = sentinels;
			new SentinelWatch(master, this, (uri) -> sentinels.connectPubSubAsync(StringCodec.UTF8, uri), onSwitch)
				.run();
		}
	}

	/** Lettuce only logs these failures, and rejects all commands without a reason. */
	@Override
	public void onConnectionError(BiConsumer<String, Throwable> listener) {
		this.resources.eventBus().get().ofType(ReconnectFailedEvent.class).subscribe((event) -> {
			if (event.remoteAddress() instanceof InetSocketAddress address) {
				listener.accept(address.getHostString() + ":" + address.getPort(), event.getCause());
			}
		});
	}

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public void schedule(Runnable task, long delayNanos) {
		EventExecutorGroup executor = this.resources.eventExecutorGroup();
		if (!executor.isShuttingDown()) {
			executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
		}
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			stopTimer();
			RedisClient sentinels = this.sentinels;
			if (sentinels != null) {
				sentinels.shutdown(Duration.ZERO, Duration.ofSeconds(1));
			}
			this.factory.destroy();
			this.resources.shutdown(0, 1, TimeUnit.SECONDS);
			this.eventLoops.shutdown(0, 1, TimeUnit.SECONDS);
			this.eventLoops.reconnections.shutdownGracefully(0, 1, TimeUnit.SECONDS);
		}
	}

	/**
	 * Stop the time limits of earlier reconnections. Lettuce does not cancel these
	 * limits, each of which closes its channel later, on a thread that would have ended
	 * by then.
	 */
	private void stopTimer() {
		this.resources.timer().stop();
		List<CompletableFuture<Void>> started = new ArrayList<>();
		this.resources.eventExecutorGroup().forEach((executor) -> started.add(CompletableFuture.runAsync(() -> {
		}, executor)));
		FutureWait.await(CompletableFuture.allOf(started.toArray(CompletableFuture[]::new)), Duration.ofSeconds(1));
	}

	/**
	 * Return the application's client configuration with the library's own threads,
	 * options and time limit. Reads never go to a replica.
	 */
	private static LettuceClientConfiguration client(ConnectionSettings settings, String clientName,
			ClientResources resources, Duration commandTimeout) {
		LettuceClientConfiguration application = settings.client();
		LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.clientName(clientName)
			.clientResources(resources)
			.clientOptions(options(settings))
			.commandTimeout(commandTimeout)
			.shutdownQuietPeriod(Duration.ZERO)
			.shutdownTimeout(Duration.ofSeconds(1));
		application.getRedisCredentialsProviderFactory().ifPresent(client::redisCredentialsProviderFactory);
		if (application.isUseSsl()) {
			LettuceSslClientConfigurationBuilder ssl = client.useSsl().verifyPeer(application.getVerifyMode());
			if (application.isStartTls()) {
				ssl.startTls();
			}
		}
		return client.build();
	}

	/** Replace characters that Redis does not permit. */
	static String clientName(@Nullable String application, String users) {
		return StringUtils.hasText(application) ? application.replaceAll("[^!-~]", "-") + "-" + users : users;
	}

	private static ClientOptions options(ConnectionSettings application) {
		ClientOptions.Builder changed = application.client()
			.getClientOptions()
			.orElseGet(ClientOptions::create)
			.mutate()
			// the application's limit counts its own commands
			.requestQueueSize(ClientOptions.DEFAULT_REQUEST_QUEUE_SIZE);
		application.options().accept(changed);
		ClientOptions options = changed.build();
		SocketOptions socket = options.getSocketOptions();
		if (socket.getConnectTimeout().compareTo(LONGEST_CONNECT_TIMEOUT) > 0) {
			socket = socket.mutate().connectTimeout(LONGEST_CONNECT_TIMEOUT).build();
		}
		return options.mutate()
			.socketOptions(socket)
			.autoReconnect(true)
			// the engine retries a command that was lost with its connection
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.replayFilter(PrivateClient::failInsteadOfReplay)
			// callers have time limits of their own
			.timeoutOptions(TimeoutOptions.create())
			.publishOnScheduler(false)
			.build();
	}

	/**
	 * Disable refreshes, which {@link ClusterTopology} requests, and keep the
	 * application's sources.
	 */
	private static ClusterClientOptions clusterOptions(ClusterClientOptions options) {
		ClusterClientOptions.Builder builder = options.mutate()
			.topologyRefreshOptions(new NoRefreshes(options.getTopologyRefreshOptions().useDynamicRefreshSources()));
		// neither a copy of these options nor Spring's keeps the filter
		builder.replayFilter(PrivateClient::failInsteadOfReplay);
		return builder.build();
	}

	/**
	 * Fail a command that could not be written because the connection broke. Lettuce
	 * calls this filter, and drops a filtered command without completing it: the caller
	 * would wait for the time limit.
	 */
	private static boolean failInsteadOfReplay(RedisCommand<?, ?, ?> command) {
		command.completeExceptionally(new RedisException("The connection broke before the command was sent"));
		return true;
	}

	private static Duration handshakeLimit(RedisConfiguration server, Duration commandTimeout) {
		return max(commandTimeout, RedisConfiguration.isClusterConfiguration(server)
				? SHORTEST_HANDSHAKE_LIMIT_IN_CLUSTER : SHORTEST_HANDSHAKE_LIMIT);
	}

	/**
	 * Return the limit after which an idle connection is closed: all commands of the
	 * server have then timed out twice.
	 */
	private static Duration idleLimit(Duration commandTimeout) {
		return max(commandTimeout.multipliedBy(2), SHORTEST_IDLE_LIMIT);
	}

	private static Duration max(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static ClientResources resources(ConnectionSettings application, OneThread eventLoops, Duration idleLimit) {
		DefaultClientResources.Builder builder = DefaultClientResources.builder()
			.eventExecutorGroup(eventLoops.reconnections)
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.reconnectDelay(
					() -> Delay.fullJitter(Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 10, TimeUnit.MILLISECONDS));
		ClientResources configured = application.client().getClientResources().orElse(null);
		if (configured != null) {
			builder.addressResolverGroup(configured.addressResolverGroup())
				.socketAddressResolver(configured.socketAddressResolver());
		}
		NettyCustomizer customizer = (configured != null) ? configured.nettyCustomizer()
				: DefaultClientResources.DEFAULT_NETTY_CUSTOMIZER;
		application.resources().accept(builder);
		return builder.eventLoopGroupProvider(eventLoops)
			.timer(new LoopTimer(eventLoops::thread))
			.nettyCustomizer(new FirstHandlers(idleLimit, customizer))
			.build();
	}

	/**
	 * Options without refreshes: adaptive refreshes are the default in Lettuce 7, and
	 * cannot be disabled in Lettuce 6.
	 */
	private static final class NoRefreshes extends ClusterTopologyRefreshOptions {

		NoRefreshes(boolean dynamicRefreshSources) {
			super(builder().dynamicRefreshSources(dynamicRefreshSources).enablePeriodicRefresh(false));
		}

		@Override
		public Set<RefreshTrigger> getAdaptiveRefreshTriggers() {
			return Set.of();
		}

	}

	/** Creates a client that starts faster, except for a cluster. */
	private static final class ClientFactory extends LettuceConnectionFactory {

		private final RedisConfiguration server;

		ClientFactory(RedisConfiguration server, LettuceClientConfiguration client) {
			super(server, client);
			this.server = server;
		}

		@Override
		protected AbstractRedisClient createClient() {
			LettuceClientConfiguration client = getClientConfiguration();
			return RedisConfiguration.isClusterConfiguration(this.server) ? super.createClient()
					: new AsyncRedisClient(client.getClientResources().orElseThrow(),
							new NodeUris(this.server, client).ofServer(), client.getClientOptions().orElseThrow());
		}

	}

	/** An event loop with one thread, which is enough for all connections. */
	private static final class OneThread extends DefaultEventLoopGroupProvider {

		/** Starts reconnections. Lettuce's own group has two threads at least. */
		private final EventExecutorGroup reconnections = new DefaultEventExecutorGroup(1,
				new DaemonThreads("lock-reconnect"));

		/** Present once there was a connection. */
		private volatile @Nullable EventLoopGroup thread;

		OneThread() {
			super(1);
		}

		EventLoopGroup thread() {
			EventLoopGroup thread = this.thread;
			if (thread == null) {
				throw new RejectedExecutionException("not connected");
			}
			return thread;
		}

		@Override
		public <T extends EventLoopGroup> T allocate(Class<T> type) {
			T thread = super.allocate(type);
			this.thread = thread;
			return thread;
		}

	}

	/**
	 * The timer of Lettuce on the thread of the connections. Netty's own timer has a
	 * thread, which wakes up at each tick even if there are no tasks. Thread-safe.
	 */
	private static final class LoopTimer implements Timer {

		private final Supplier<? extends ScheduledExecutorService> thread;

		private volatile boolean stopped;

		/** Create a timer from what returns the thread when there is a task. */
		LoopTimer(Supplier<? extends ScheduledExecutorService> thread) {
			this.thread = thread;
		}

		@Override
		public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
			if (this.stopped) {
				throw new IllegalStateException("The connections are closed");
			}
			Task timeout = new Task(this, task);
			Future<?> scheduled = this.thread.get().schedule(timeout, delay, unit);
			timeout.whenComplete((begun, failure) -> scheduled.cancel(false));
			return timeout;
		}

		/** Let no task run from now on. */
		@Override
		public Set<Timeout> stop() {
			this.stopped = true;
			return Set.of();
		}

		/** A task, which is completed when it begins. */
		private static final class Task extends CompletableFuture<Boolean> implements Timeout, Callable<Boolean> {

			private final LoopTimer timer;

			private final TimerTask task;

			Task(LoopTimer timer, TimerTask task) {
				this.timer = timer;
				this.task = task;
			}

			@Override
			public Boolean call() throws Exception {
				boolean begins = !this.timer.stopped && complete(true);
				if (begins) {
					this.task.run(this);
				}
				return begins;
			}

			@Override
			public Timer timer() {
				return this.timer;
			}

			@Override
			public TimerTask task() {
				return this.task;
			}

			@Override
			public boolean isExpired() {
				return isDone() && !isCancelled();
			}

			@Override
			public boolean cancel() {
				return cancel(false);
			}

		}

	}

	/** Adds the library's handlers to each connection before all others. */
	private record FirstHandlers(Duration idleLimit, NettyCustomizer next) implements NettyCustomizer {

		private static final int MOST_COMMANDS = 256;

		@Override
		public void afterBootstrapInitialized(Bootstrap bootstrap) {
			this.next.afterBootstrapInitialized(bootstrap);
		}

		/**
		 * Send commands that several threads write at the same time with one system call,
		 * instead of one call for each command. A single command is not delayed.
		 */
		@Override
		public void afterChannelInitialized(Channel channel) {
			channel.pipeline()
				.addFirst(new IdleConnectionWatchdog(this.idleLimit),
						new FlushConsolidationHandler(MOST_COMMANDS, true));
			this.next.afterChannelInitialized(channel);
		}

	}

}
