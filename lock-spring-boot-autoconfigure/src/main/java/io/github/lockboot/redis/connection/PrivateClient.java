package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * A client of Lettuce of the library's own: the server, credentials and TLS of the
 * application, but threads and client options for locks.
 */
final class PrivateClient implements AutoCloseable {

	/** A lock must not wait long for a server that is back. */
	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(500);

	private static final Duration LONGEST_CONNECT_TIMEOUT = Duration.ofSeconds(3);

	/** A JVM that has just started may take long to read a greeting. */
	private static final Duration SHORTEST_HANDSHAKE_LIMIT = Duration.ofSeconds(5);

	/**
	 * In a cluster a master that stands still is found out by it, and others are there.
	 */
	private static final Duration SHORTEST_HANDSHAKE_LIMIT_IN_CLUSTER = Duration.ofSeconds(1);

	private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(1);

	/** Starts only to reconnect. Two is the least that Lettuce allows. */
	private static final int RECONNECT_THREADS = 2;

	private final EventLoopGroupProvider eventLoops;

	private final ClientResources resources;

	private final LettuceConnectionFactory factory;

	private final String users;

	private final String address;

	private final AtomicBoolean closed = new AtomicBoolean();

	private PrivateClient(EventLoopGroupProvider eventLoops, ClientResources resources,
			LettuceConnectionFactory factory, String users, String address) {
		this.users = users;
		this.address = address;
		this.eventLoops = eventLoops;
		this.resources = resources;
		this.factory = factory;
	}

	/**
	 * Creates a client for the servers of an application, without connections. Of a
	 * static set of servers the master is looked for.
	 * @param applicationName what the names of the connections begin with in
	 * {@code CLIENT LIST}, unless the application has named its own
	 * @param users what the connections are for, the rest of their names
	 * @throws RedisException if a static set has no master that can be reached
	 */
	static PrivateClient of(ConnectionSettings application, @Nullable String applicationName, String users,
			Duration commandTimeout) {
		return (application.server() instanceof StaticMasterReplicaConfiguration set)
				? ofMaster(set, application.client(), applicationName, users, commandTimeout)
				: of(application.server(), application.client(), applicationName, users, commandTimeout);
	}

	private static PrivateClient of(RedisConfiguration server, LettuceClientConfiguration application,
			@Nullable String applicationName, String users, Duration commandTimeout) {
		// one thread for all connections: none of them has much to do
		EventLoopGroupProvider eventLoops = new DefaultEventLoopGroupProvider(1);
		ClientResources resources = resources(application, eventLoops, silenceLimit(commandTimeout));
		LettuceConnectionFactory factory = new LettuceConnectionFactory(server,
				client(application, clientName(application.getClientName().orElse(applicationName), users), resources,
						handshakeLimit(server, commandTimeout)));
		factory.start();
		if (factory.getRequiredNativeClient() instanceof RedisClusterClient cluster) {
			cluster.setOptions(clusterOptions((ClusterClientOptions) cluster.getOptions()));
		}
		return new PrivateClient(eventLoops, resources, factory, users, address(server));
	}

	/** A connection to the master alone: no command can go to a replica. */
	private static PrivateClient ofMaster(StaticMasterReplicaConfiguration set, LettuceClientConfiguration application,
			@Nullable String applicationName, String users, Duration commandTimeout) {
		RedisException failure = new RedisException("all are replicas");
		for (RedisStandaloneConfiguration node : set.getNodes()) {
			node.setUsername(set.getUsername()); // which the set keeps to itself
			PrivateClient candidate = of(node, application, applicationName, users, commandTimeout);
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
			List<Object> role = LettuceFutures.awaitOrCancel(connection.async().role(),
					connection.getTimeout().toNanos(), TimeUnit.NANOSECONDS);
			return "master".equals(role.get(0));
		}
	}

	/**
	 * Connects and loads scripts. The connection closes this client.
	 * @throws RedisException if no server can be reached, or all refuse; the client is
	 * closed then
	 */
	<V> RedisConnection<V> connect(RedisCodec<String, V> codec, Collection<LuaScript> scripts, Duration timeout) {
		OutageLog outages = new OutageLog(this.users);
		RedisClusterConfiguration cluster = this.factory.getClusterConfiguration();
		try {
			return (cluster == null)
					? new StandaloneConnection<>(serverClient(), this.address, codec, scripts, timeout, outages,
							this::close)
					: new ClusterConnection<>((RedisClusterClient) client(),
							new ServerUris(cluster, this.factory.getClientConfiguration()), codec, scripts, timeout,
							outages, this::close);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	AbstractRedisClient client() {
		return this.factory.getRequiredNativeClient();
	}

	RedisClient serverClient() {
		return (RedisClient) client();
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			endAttempts();
			this.factory.destroy();
			this.resources.shutdown(0, 1, TimeUnit.SECONDS);
			this.eventLoops.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

	/**
	 * Lettuce lets the time limit of each try to reconnect run on after the try, and each
	 * closes its channel on a thread that would have ended by then.
	 */
	private void endAttempts() {
		this.resources.timer().stop();
		List<CompletableFuture<Void>> begun = new ArrayList<>();
		this.resources.eventExecutorGroup().forEach((executor) -> begun.add(CompletableFuture.runAsync(() -> {
		}, executor)));
		CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new))
			.completeOnTimeout(null, 1, TimeUnit.SECONDS)
			.join();
	}

	/** How a person calls the server. */
	private static String address(RedisConfiguration server) {
		if (server instanceof RedisConfiguration.SentinelConfiguration sentinels && sentinels.getMaster() != null) {
			return "master " + sentinels.getMaster().getName();
		}
		if (server instanceof RedisConfiguration.WithDomainSocket file) {
			return file.getSocket();
		}
		return RedisConfiguration.getHostOrElse(server, () -> "localhost") + ":"
				+ RedisConfiguration.getPortOrElse(server, () -> 6379);
	}

	/**
	 * The application's client configuration with threads, options and time limit of our
	 * own. Reads never go to a replica.
	 */
	private static LettuceClientConfiguration client(LettuceClientConfiguration application, String clientName,
			ClientResources resources, Duration commandTimeout) {
		LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.clientName(clientName)
			.clientResources(resources)
			.clientOptions(options(application))
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

	/** Redis takes no other characters than those of the name. */
	static String clientName(@Nullable String application, String users) {
		return StringUtils.hasText(application) ? application.replaceAll("[^!-~]", "-") + "-" + users : users;
	}

	private static ClientOptions options(LettuceClientConfiguration application) {
		ClientOptions options = application.getClientOptions().orElseGet(ClientOptions::create);
		SocketOptions socket = options.getSocketOptions();
		if (socket.getConnectTimeout().compareTo(LONGEST_CONNECT_TIMEOUT) > 0) {
			socket = socket.mutate().connectTimeout(LONGEST_CONNECT_TIMEOUT).build();
		}
		return options.mutate()
			.socketOptions(socket)
			.autoReconnect(true)
			// a command that was lost with its connection is asked again by the engine
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.replayFilter(PrivateClient::failInsteadOfReplay)
			// time limits are the caller's: one timer of its own instead of two threads'
			.timeoutOptions(TimeoutOptions.create())
			.publishOnScheduler(false)
			.build();
	}

	/**
	 * When the topology is asked for is the matter of {@link ClusterTopology}; from where
	 * stays as the application has it.
	 */
	private static ClusterClientOptions clusterOptions(ClusterClientOptions options) {
		ClusterTopologyRefreshOptions refresh = ClusterTopologyRefreshOptions.builder()
			.dynamicRefreshSources(options.getTopologyRefreshOptions().useDynamicRefreshSources())
			.disableAllAdaptiveRefreshTriggers()
			.enablePeriodicRefresh(false)
			.build();
		ClusterClientOptions.Builder builder = options.mutate().topologyRefreshOptions(refresh);
		// once more: neither a copy of these options nor Spring's keeps the filter
		builder.replayFilter(PrivateClient::failInsteadOfReplay);
		return builder.build();
	}

	/**
	 * Lettuce asks this about a command that could not be written because the connection
	 * broke, and then drops a filtered one without completing it: its caller would wait
	 * for the time limit.
	 */
	private static boolean failInsteadOfReplay(RedisCommand<?, ?, ?> command) {
		command.completeExceptionally(new RedisException("The connection broke before the command was sent"));
		return true;
	}

	private static Duration handshakeLimit(RedisConfiguration server, Duration commandTimeout) {
		Duration shortest = RedisConfiguration.isClusterConfiguration(server) ? SHORTEST_HANDSHAKE_LIMIT_IN_CLUSTER
				: SHORTEST_HANDSHAKE_LIMIT;
		return (commandTimeout.compareTo(shortest) > 0) ? commandTimeout : shortest;
	}

	/** A server whose commands have all timed out twice is asked on a new connection. */
	private static Duration silenceLimit(Duration commandTimeout) {
		Duration twice = commandTimeout.multipliedBy(2);
		return (twice.compareTo(SHORTEST_SILENCE) > 0) ? twice : SHORTEST_SILENCE;
	}

	private static ClientResources resources(LettuceClientConfiguration application, EventLoopGroupProvider eventLoops,
			Duration silenceLimit) {
		DefaultClientResources.Builder builder = DefaultClientResources.builder()
			.eventLoopGroupProvider(eventLoops)
			.computationThreadPoolSize(RECONNECT_THREADS)
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.reconnectDelay(
					() -> Delay.fullJitter(Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 10, TimeUnit.MILLISECONDS));
		ClientResources theirs = application.getClientResources().orElse(null);
		if (theirs != null) {
			builder.addressResolverGroup(theirs.addressResolverGroup())
				.socketAddressResolver(theirs.socketAddressResolver());
		}
		NettyCustomizer customizer = (theirs != null) ? theirs.nettyCustomizer()
				: DefaultClientResources.DEFAULT_NETTY_CUSTOMIZER;
		return builder.nettyCustomizer(new FirstHandlers(silenceLimit, customizer)).build();
	}

	/**
	 * Adds the library's handlers to each connection before all others.
	 */
	private record FirstHandlers(Duration silenceLimit, NettyCustomizer next) implements NettyCustomizer {

		private static final int MOST_COMMANDS = 256;

		@Override
		public void afterBootstrapInitialized(Bootstrap bootstrap) {
			this.next.afterBootstrapInitialized(bootstrap);
		}

		/**
		 * What several threads write at the same time is sent with one system call, where
		 * Lettuce makes one for each command. A command that comes alone is not delayed.
		 */
		@Override
		public void afterChannelInitialized(Channel channel) {
			channel.pipeline()
				.addFirst(new IdleConnectionWatchdog(this.silenceLimit),
						new FlushConsolidationHandler(MOST_COMMANDS, true));
			this.next.afterChannelInitialized(channel);
		}

	}

}
