package io.github.lockboot.benchmarks.peer;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * The floor of a hand-over: one script that acquires a lock or appends the caller to a
 * list, and one that gives the lock to the first caller in the list and publishes a
 * message to the JVM in which the caller waits. There is no renewal and no token, and a
 * waiter that dies blocks the lock.
 */
final class BarePushPeer implements Peer {

	private static final String ACQUIRE = """
			if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 30000) then return 1 end
			redis.call('RPUSH', KEYS[2], ARGV[1])
			return 0""";

	private static final String RELEASE = """
			local next = redis.call('LPOP', KEYS[2])
			if not next then return redis.call('DEL', KEYS[1]) end
			redis.call('SET', KEYS[1], next, 'PX', 30000)
			redis.call('PUBLISH', string.match(next, '^[^:]*'), next)
			return 1""";

	private final String instance = UUID.randomUUID().toString();

	private final AtomicLong owners = new AtomicLong();

	private final Map<String, CompletableFuture<String>> waiters = new ConcurrentHashMap<>();

	private final RedisClient client;

	private final StatefulRedisPubSubConnection<String, String> subscription;

	private final StatefulRedisConnection<String, String> connection;

	private final RedisAsyncCommands<String, String> commands;

	private final String acquire;

	private final String release;

	BarePushPeer(RedisAddress address) {
		this.client = RedisClient.create(address.uri());
		this.subscription = this.client.connectPubSub();
		this.subscription.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, String owner) {
				Objects.requireNonNull(BarePushPeer.this.waiters.get(owner)).complete(owner);
			}

		});
		this.subscription.sync().subscribe(this.instance);
		this.connection = this.client.connect();
		this.commands = this.connection.async();
		this.acquire = this.connection.sync().scriptLoad(ACQUIRE);
		this.release = this.connection.sync().scriptLoad(RELEASE);
	}

	@Override
	public Runnable acquire(String lock) {
		String[] keys = { lock, lock + ":queue" };
		String owner = this.instance + ":" + this.owners.incrementAndGet();
		CompletableFuture<String> waiter = new CompletableFuture<>();
		this.waiters.put(owner, waiter);
		if (script(this.acquire, keys, owner) == 0) {
			waiter.join();
		}
		this.waiters.remove(owner);
		return () -> script(this.release, keys, owner);
	}

	private Long script(String digest, String[] keys, String owner) {
		RedisFuture<Long> reply = this.commands.evalsha(digest, ScriptOutputType.INTEGER, keys, owner);
		return reply.toCompletableFuture().join();
	}

	@Override
	public void close() {
		this.connection.close();
		this.subscription.close();
		this.client.shutdown();
	}

}
