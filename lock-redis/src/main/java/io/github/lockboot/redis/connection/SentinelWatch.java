package io.github.lockboot.redis.connection;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Subscriptions at all Sentinels, by which a client learns that another server has become
 * the master. Lettuce asks the Sentinels only when it reconnects, and the connection to a
 * master that only its replicas and Sentinels cannot reach does not break. Thread-safe.
 */
final class SentinelWatch {

	private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final long UNKNOWN = -1;

	private final RedisURI master;

	private final List<RedisURI> sentinels;

	private final ConnectionSource client;

	private final Function<RedisURI, CompletionStage<StatefulRedisPubSubConnection<String, String>>> connector;

	private final Runnable onSwitch;

	private final Map<RedisURI, StatefulRedisPubSubConnection<String, String>> connections = new ConcurrentHashMap<>();

	/** The highest configuration epoch of the master, or {@link #UNKNOWN}. */
	private final AtomicLong epoch = new AtomicLong(UNKNOWN);

	/**
	 * Create a watch that does not run.
	 * @param master names the Sentinels, in the order in which a reconnection asks them
	 * @param connector connects to one Sentinel, once
	 * @param onSwitch called for each message about another master; must not block
	 */
	SentinelWatch(RedisURI master, ConnectionSource client,
			Function<RedisURI, CompletionStage<StatefulRedisPubSubConnection<String, String>>> connector,
			Runnable onSwitch) {
		this.master = master;
		this.sentinels = List.copyOf(master.getSentinels());
		this.client = client;
		this.connector = connector;
		this.onSwitch = onSwitch;
	}

	/**
	 * Subscribe where there is no connection, check the others, and do so again later.
	 */
	void run() {
		this.sentinels.forEach((sentinel) -> {
			StatefulRedisPubSubConnection<String, String> present = this.connections.get(sentinel);
			if (present != null && present.isOpen()) {
				present.async().ping(); // a dead connection is closed without the reply
			}
			else {
				this.connector.apply(sentinel).thenAccept((connected) -> subscribe(sentinel, connected));
			}
		});
		this.client.schedule(this::run, CHECK_NANOS);
	}

	private void subscribe(RedisURI sentinel, StatefulRedisPubSubConnection<String, String> connected) {
		StatefulRedisPubSubConnection<String, String> former = this.connections.put(sentinel, connected);
		if (former != null) {
			former.closeAsync();
		}
		connected.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, String message) {
				if (message.startsWith(SentinelWatch.this.master.getSentinelMasterId() + " ")) {
					SentinelWatch.this.epoch.set(UNKNOWN);
					switched(sentinel);
				}
			}

		});
		// a message may have been missed before the subscription
		connected.async()
			.dispatch(CommandType.SENTINEL, new MapOutput<>(StringCodec.UTF8),
					new CommandArgs<>(StringCodec.UTF8).add("MASTER").add(this.master.getSentinelMasterId()))
			.thenAccept((state) -> seen(sentinel, Long.parseLong(state.getOrDefault("config-epoch", "0"))));
		connected.async().subscribe("+switch-master");
	}

	private void seen(RedisURI sentinel, long epoch) {
		long before = this.epoch.getAndAccumulate(epoch, Math::max);
		if (before != UNKNOWN && epoch > before) {
			switched(sentinel);
		}
	}

	/**
	 * Ask the Sentinel that knows the new master first: one on the side of the former
	 * master may not know it yet.
	 */
	private void switched(RedisURI sentinel) {
		List<RedisURI> order = this.master.getSentinels();
		Collections.swap(order, 0, order.indexOf(sentinel));
		this.onSwitch.run();
	}

}
