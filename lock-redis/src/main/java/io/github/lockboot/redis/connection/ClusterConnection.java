package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.RedisCodec;

import io.github.lockboot.redis.connection.ClusterTopology.Master;

/**
 * Connections to the masters of a cluster: one to each master, and another one for its
 * pushes. A master that does not respond does not delay commands for another master.
 */
final class ClusterConnection<V> extends RedisConnection<V> {

	/** Pattern of the versions without sharded channels. */
	private static final Pattern OLD = Pattern.compile("redis_version:[3-6]\\.");

	private final ClusterTopology topology;

	private final StatefulRedisClusterConnection<String, V> connection;

	/** Connects to single nodes, for subscriptions and replicated scripts. */
	private final RedisClient nodeClient;

	/** By the master, and whether callers wait for the replies. */
	private final Map<Map.Entry<RedisURI, Boolean>, ReplicatedScripts<V>> replicated = new ConcurrentHashMap<>();

	/** Connect, and load scripts on each master that replies within a time limit. */
	static <V> RedisConnection<V> connect(PrivateClient client, RedisCodec<String, V> codec,
			Collection<LuaScript> scripts, Duration loadLimit) {
		RedisClusterClient cluster = (RedisClusterClient) client.client();
		ClusterConnection<V> connection = new ClusterConnection<>(client, cluster, cluster.connect(codec), codec,
				scripts);
		awaitLoads(loadLimit,
				connection.topology.masters()
					.stream()
					.map((master) -> CompletableFuture.allOf(connection.readVersion(master), connection.load(master)))
					.toArray(CompletableFuture[]::new));
		return connection;
	}

	private ClusterConnection(PrivateClient client, RedisClusterClient cluster,
			StatefulRedisClusterConnection<String, V> connection, RedisCodec<String, V> codec,
			Collection<LuaScript> scripts) {
		super(client, false, connection, connection.async(), codec, scripts);
		this.connection = connection;
		this.nodeClient = new AsyncRedisClient(cluster.getResources(), new RedisURI(), cluster.getOptions());
		this.topology = new ClusterTopology(cluster, client.nodeUris());
		this.topology.watch(this::forgetReplacedServers);
		client.onConnectionError(this::connectionFailed);
	}

	/**
	 * Read the version of a server. A server of unknown version is expected to refuse
	 * sharded subscriptions itself.
	 */
	private CompletableFuture<Void> readVersion(Master master) {
		return commands(master).thenCompose((commands) -> commands.info("server")).handle((info, failure) -> {
			if (failure == null && OLD.matcher(info).find()) {
				this.topology.useClassicChannels();
			}
			return null;
		});
	}

	private void forgetReplacedServers() {
		replaced((server) -> this.topology.masters().stream().map(Master::address).noneMatch(server::equals));
		this.replicated.forEach((key, scripts) -> {
			if (this.topology.masters().stream().map(Master::uri).noneMatch(key.getKey()::equals)) {
				this.replicated.remove(key);
				scripts.close();
			}
		});
	}

	private CompletableFuture<RedisAsyncCommands<String, V>> commands(Master master) {
		return this.connection.getConnectionAsync(master.uri().getHost(), master.uri().getPort())
			.thenApply(StatefulRedisConnection::async);
	}

	private CompletableFuture<Void> load(Master master) {
		return load(master.id(), commands(master));
	}

	@Override
	CompletableFuture<RedisAsyncCommands<String, V>> commands(String server) {
		Master master = this.topology.master(server);
		return (master != null) ? commands(master)
				: CompletableFuture.failedFuture(new RedisException("The master has lost its slots"));
	}

	@Override
	CompletableFuture<Void> load(String key) {
		Master master = this.topology.masterOf(key);
		return (master != null) ? load(master) : CompletableFuture.failedFuture(noMaster(key));
	}

	private static RedisException noMaster(String key) {
		return new RedisException("No master of the cluster is known to serve '" + key + "'");
	}

	@Override
	public Subscription subscribe(Subscription.Listener<V> listener) {
		return new ClusterSubscription<>(this.nodeClient, codec(), this.topology, listener, null);
	}

	@Override
	public Subscription subscribe(String prefix, String reader, Subscription.Listener<V> listener) {
		return new ClusterSubscription<>(this.nodeClient, codec(), this.topology, listener,
				(tag) -> prefix + tag + reader);
	}

	@Override
	public String channels(String prefix, String key) {
		return prefix + this.topology.tag(key);
	}

	@Override
	ReplicatedScripts<V> replicated(String key, boolean awaited) {
		Master master = this.topology.masterOf(key);
		if (master == null) {
			this.topology.refresh();
			throw noMaster(key);
		}
		return Objects.requireNonNull(this.replicated.computeIfAbsent(Map.entry(master.uri(), awaited),
				(any) -> new ReplicatedScripts<>(codec(), () -> this.nodeClient.connectAsync(codec(), any.getKey()))));
	}

	@Override
	public Set<String> servers() {
		return this.topology.ids();
	}

	@Override
	public String serverOf(String key) {
		Master master = this.topology.masterOf(key);
		return (master != null) ? master.id() : "";
	}

	@Override
	String addressOf(String key) {
		Master master = this.topology.masterOf(key);
		return (master != null) ? master.address() : "a slot without a master";
	}

	@Override
	void onFailure(Throwable failure) {
		this.topology.refresh();
	}

	@Override
	void closeConnections() {
		this.topology.close();
		this.replicated.values().forEach(ReplicatedScripts::close);
		this.nodeClient.shutdown(Duration.ZERO, Duration.ofSeconds(1));
	}

}
