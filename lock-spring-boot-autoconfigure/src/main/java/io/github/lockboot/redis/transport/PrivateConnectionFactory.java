package io.github.lockboot.redis.transport;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * A connection factory made from an application's: the same server, credentials and TLS,
 * but threads and client options of our own.
 */
final class PrivateConnectionFactory implements AutoCloseable {

	/** A lock must not wait long for a server that is back. */
	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(500);

	private static final Duration LONGEST_CONNECT_TIMEOUT = Duration.ofSeconds(3);

	/** A JVM that has just started may take long to read a greeting. */
	private static final Duration SHORTEST_HANDSHAKE_LIMIT = Duration.ofSeconds(5);

	private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(1);

	/** Starts only to reconnect. Two is the least that Lettuce allows. */
	private static final int RECONNECT_THREADS = 2;

	private final EventLoopGroupProvider eventLoops;

	private final ClientResources resources;

	private final LettuceConnectionFactory factory;

	private PrivateConnectionFactory(EventLoopGroupProvider eventLoops, ClientResources resources,
			LettuceConnectionFactory factory) {
		this.eventLoops = eventLoops;
		this.resources = resources;
		this.factory = factory;
	}

	/**
	 * Copy an application's factory.
	 * @param application the application's
	 * @param commandTimeout how long an answer is waited for; more for the first ones of
	 * a connection
	 * @return a started factory without connections
	 */
	static PrivateConnectionFactory of(LettuceConnectionFactory application, Duration commandTimeout) {
		RedisConfiguration server = server(application);
		// one thread for all connections: none of them has much to do
		EventLoopGroupProvider eventLoops = new DefaultEventLoopGroupProvider(1);
		ClientResources resources = resources(application, eventLoops, silenceLimit(commandTimeout));
		ClientOptions options = options(application);
		LettuceConnectionFactory factory = new LettuceConnectionFactory(server, new PrivateClientConfiguration(
				application.getClientConfiguration(), resources, options, handshakeLimit(commandTimeout)));
		factory.start();
		return new PrivateConnectionFactory(eventLoops, resources, factory);
	}

	RedisClient client() {
		return (RedisClient) this.factory.getRequiredNativeClient();
	}

	@Override
	public void close() {
		this.factory.destroy();
		this.resources.shutdown(0, 1, TimeUnit.SECONDS);
		this.eventLoops.shutdown(0, 1, TimeUnit.SECONDS);
	}

	private static RedisConfiguration server(LettuceConnectionFactory application) {
		if (application.getClusterConfiguration() != null) {
			throw new IllegalArgumentException("Locks on Redis Cluster are not supported by this version; "
					+ "point 'lock.redis.connection-factory' to a standalone Redis or to Sentinel");
		}
		if (application.getSentinelConfiguration() != null) {
			return application.getSentinelConfiguration();
		}
		if (application.getSocketConfiguration() != null) {
			return application.getSocketConfiguration();
		}
		RedisConfiguration configuration = configuration(application);
		if (configuration instanceof StaticMasterReplicaConfiguration) {
			throw new IllegalArgumentException(
					"Locks on a static master and replicas are not supported by this version; "
							+ "point 'lock.redis.connection-factory' to the master or to Sentinel");
		}
		return (configuration != null) ? configuration : application.getStandaloneConfiguration();
	}

	/**
	 * What the factory was made from. It shows this for some kinds only: one for a static
	 * master and replicas, and one made from any {@link RedisConfiguration}, as
	 * {@link LettuceConnectionFactory#createRedisConfiguration(String)} returns it,
	 * answers that it is a standalone one on {@code localhost}.
	 */
	private static @Nullable RedisConfiguration configuration(LettuceConnectionFactory application) {
		Field configuration = ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration",
				RedisConfiguration.class);
		if (configuration == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(configuration);
		return (RedisConfiguration) ReflectionUtils.getField(configuration, application);
	}

	private static ClientOptions options(LettuceConnectionFactory application) {
		ClientOptions options = application.getClientConfiguration()
			.getClientOptions()
			.orElseGet(ClientOptions::create);
		SocketOptions socket = options.getSocketOptions();
		if (socket.getConnectTimeout().compareTo(LONGEST_CONNECT_TIMEOUT) > 0) {
			socket = socket.mutate().connectTimeout(LONGEST_CONNECT_TIMEOUT).build();
		}
		return options.mutate()
			.socketOptions(socket)
			.autoReconnect(true)
			// a command that was lost with its connection is asked again by the engine
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.replayFilter(PrivateConnectionFactory::failInsteadOfReplay)
			// time limits are the caller's: one timer of its own instead of two threads'
			.timeoutOptions(TimeoutOptions.create())
			.publishOnScheduler(false)
			.build();
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

	private static Duration handshakeLimit(Duration commandTimeout) {
		return (commandTimeout.compareTo(SHORTEST_HANDSHAKE_LIMIT) > 0) ? commandTimeout : SHORTEST_HANDSHAKE_LIMIT;
	}

	/** A server whose commands have all timed out twice is asked on a new connection. */
	private static Duration silenceLimit(Duration commandTimeout) {
		Duration twice = commandTimeout.multipliedBy(2);
		return (twice.compareTo(SHORTEST_SILENCE) > 0) ? twice : SHORTEST_SILENCE;
	}

	private static ClientResources resources(LettuceConnectionFactory application, EventLoopGroupProvider eventLoops,
			Duration silenceLimit) {
		DefaultClientResources.Builder builder = DefaultClientResources.builder()
			.eventLoopGroupProvider(eventLoops)
			.computationThreadPoolSize(RECONNECT_THREADS)
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.reconnectDelay(
					() -> Delay.fullJitter(Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 10, TimeUnit.MILLISECONDS));
		ClientResources theirs = application.getClientResources();
		if (theirs != null) {
			builder.addressResolverGroup(theirs.addressResolverGroup())
				.socketAddressResolver(theirs.socketAddressResolver());
		}
		NettyCustomizer customizer = (theirs != null) ? theirs.nettyCustomizer()
				: DefaultClientResources.DEFAULT_NETTY_CUSTOMIZER;
		return builder
			.nettyCustomizer(JointFlushes.onEachConnection(SilenceGuard.onEachConnection(silenceLimit, customizer)))
			.build();
	}

}
