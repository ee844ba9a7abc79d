package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.codec.RedisCodec;

/**
 * The way to the masters of a cluster: one connection to each, and one more for what it
 * pushes. A master that does not answer delays nothing that is meant for another.
 *
 * @param <V> type of values, arguments and messages
 */
final class ClusterRoute<V> implements Route<V> {

	/** Versions without sharded channels. */
	private static final Pattern OLD = Pattern.compile("redis_version:[3-6]\\.");

	private final ClusterMap map;

	private final RedisCodec<String, V> codec;

	private final StatefulRedisClusterConnection<String, V> connection;

	/** Opens connections to one node, for pushes and for waiting for replicas. */
	private final RedisClient nodeClient;

	private final Map<RedisURI, ReplicatedScripts> replicated = new ConcurrentHashMap<>();

	private final Collection<LuaScript> scripts;

	private final OutageLog outages;

	private final ScriptLoads loads = new ScriptLoads();

	private ClusterRoute(ClusterMap map, RedisCodec<String, V> codec,
			StatefulRedisClusterConnection<String, V> connection, RedisClient nodeClient, Collection<LuaScript> scripts,
			OutageLog outages) {
		this.map = map;
		this.codec = codec;
		this.connection = connection;
		this.nodeClient = nodeClient;
		this.scripts = scripts;
		this.outages = outages;
	}

	/**
	 * Connect and load scripts on each master that answers in time.
	 * @param client the client
	 * @param uris how to connect to one node
	 * @param codec how values are written
	 * @param scripts the scripts
	 * @param timeout time limit for the loading
	 * @param outages told whether the servers answer
	 * @return the way
	 * @throws RedisException if no node can be reached, or all refuse
	 */
	static <V> ClusterRoute<V> connect(RedisClusterClient client, ServerUris uris, RedisCodec<String, V> codec,
			Collection<LuaScript> scripts, Duration timeout, OutageLog outages) {
		client.getPartitions();
		StatefulRedisClusterConnection<String, V> connection = client.connect(codec);
		RedisClient nodeClient = RedisClient.create(client.getResources());
		nodeClient.setOptions(client.getOptions());
		ClusterRoute<V> route = new ClusterRoute<>(new ClusterMap(client, uris), codec, connection, nodeClient, scripts,
				outages);
		route.map.watch(route::forgetReplacedServers);
		route.greet(timeout);
		return route;
	}

	/**
	 * Load the scripts and ask for the versions: who published to channels that the
	 * servers do not know would not be heard.
	 */
	private void greet(Duration timeout) {
		Route.awaitLoads(timeout, this.map.masters()
			.stream()
			.map((master) -> CompletableFuture.allOf(connection(master).thenCompose(this::askVersion), load(master)))
			.toArray(CompletableFuture[]::new));
	}

	private void forgetReplacedServers() {
		if (!this.outages.isEmpty()) {
			this.outages.keepOnly(
					this.map.masters().stream().map(ClusterRoute::address).collect(Collectors.toUnmodifiableSet()));
		}
	}

	private static String address(ClusterMap.Master master) {
		return master.uri().getHost() + ":" + master.uri().getPort();
	}

	private CompletableFuture<StatefulRedisConnection<String, V>> connection(ClusterMap.Master master) {
		return this.connection.getConnectionAsync(master.uri().getHost(), master.uri().getPort());
	}

	private CompletableFuture<Void> load(ClusterMap.Master master) {
		return this.loads.join(master.id(),
				() -> connection(master).thenCompose((node) -> Route.load(this.scripts, node.async())));
	}

	/** A server that does not tell will refuse to subscribe. */
	private CompletableFuture<Void> askVersion(StatefulRedisConnection<String, V> node) {
		return node.async().info("server").toCompletableFuture().handle((info, failure) -> {
			if (failure == null && OLD.matcher(info).find()) {
				this.map.useClassic();
			}
			return null;
		});
	}

	@Override
	public RedisAdvancedClusterAsyncCommands<String, V> commands() {
		return this.connection.async();
	}

	@Override
	public StatefulRedisClusterConnection<String, V> connection() {
		return this.connection;
	}

	@Override
	public RedisCodec<String, V> codec() {
		return this.codec;
	}

	@Override
	public CompletableFuture<Void> load(String key) {
		ClusterMap.Master master = this.map.masterOf(key);
		return (master != null) ? load(master)
				: CompletableFuture.failedFuture(new RedisException("No master is known to serve '" + key + "'"));
	}

	@Override
	public Subscriptions subscriptions(ChannelListener<V> listener) {
		return subscriptions(new ClusterChannels.Plain(), listener);
	}

	@Override
	public Subscriptions subscriptions(String prefix, String reader, ChannelListener<V> listener) {
		return subscriptions(new ClusterChannels.OfScripts(prefix, reader), listener);
	}

	private Subscriptions subscriptions(ClusterChannels channels, ChannelListener<V> listener) {
		return new ClusterSubscriber<>(this.nodeClient, this.codec, this.map, channels, listener);
	}

	@Override
	public String channels(String prefix, String key) {
		return prefix + this.map.tag(key);
	}

	@Override
	public ReplicatedScripts replicated(String key) {
		ClusterMap.Master master = this.map.masterOf(key);
		if (master == null) {
			this.map.refresh();
			throw new RedisException("No master of the cluster is known to serve '" + key + "'");
		}
		return Objects.requireNonNull(this.replicated.computeIfAbsent(master.uri(),
				(uri) -> new ReplicatedScripts(() -> this.nodeClient.connectAsync(new ExactUtf8Codec(), uri))));
	}

	@Override
	public Set<String> servers() {
		return this.map.names();
	}

	@Override
	public String serverOf(String key) {
		ClusterMap.Master master = this.map.masterOf(key);
		return (master != null) ? master.id() : "";
	}

	@Override
	public String addressOf(String key) {
		ClusterMap.Master master = this.map.masterOf(key);
		return (master != null) ? address(master) : "a slot without a master";
	}

	@Override
	public OutageLog outages() {
		return this.outages;
	}

	@Override
	public CompletableFuture<List<V>> time(String server) {
		return connection(server).thenCompose((node) -> node.async().time());
	}

	@Override
	public CompletableFuture<String> info(String server, String section) {
		return connection(server).thenCompose((node) -> node.async().info(section));
	}

	private CompletableFuture<StatefulRedisConnection<String, V>> connection(String server) {
		return this.map.masters()
			.stream()
			.filter((master) -> master.id().equals(server))
			.findFirst()
			.map(this::connection)
			.orElseGet(() -> CompletableFuture.failedFuture(new RedisException("The master has lost its slots")));
	}

	@Override
	public void suspect(Throwable failure) {
		this.map.refresh();
	}

	@Override
	public void close() {
		this.outages.close();
		this.map.close();
		this.replicated.values().forEach(ReplicatedScripts::close);
		this.connection.close();
		this.nodeClient.shutdown(Duration.ZERO, Duration.ofSeconds(1));
	}

}
