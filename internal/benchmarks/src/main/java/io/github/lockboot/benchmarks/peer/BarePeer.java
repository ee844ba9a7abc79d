package io.github.lockboot.benchmarks.peer;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * The floor: one script that sets a key if it is absent, and one that deletes the key if
 * its owner is unchanged, on one connection. There is no renewal, no token and no
 * waiting.
 */
final class BarePeer implements Peer {

	private static final String ACQUIRE = "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])";

	private static final String RELEASE = """
			if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
			return 0""";

	private static final String LEASE_MILLIS = "30000";

	private final String instance = UUID.randomUUID().toString();

	private final AtomicLong owners = new AtomicLong();

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final RedisAsyncCommands<String, String> commands;

	private final String acquire;

	private final String release;

	private final boolean confirmed;

	/**
	 * Connect.
	 * @param confirmed whether a release waits for its reply
	 */
	BarePeer(RedisAddress address, boolean confirmed) {
		this.confirmed = confirmed;
		this.client = RedisClient.create(address.uri());
		this.connection = this.client.connect();
		this.commands = this.connection.async();
		this.acquire = this.connection.sync().scriptLoad(ACQUIRE);
		this.release = this.connection.sync().scriptLoad(RELEASE);
	}

	@Override
	public Runnable acquire(String lock) {
		String[] keys = { lock };
		String owner = this.instance + ":" + this.owners.incrementAndGet();
		RedisFuture<@Nullable String> reply = this.commands.evalsha(this.acquire, ScriptOutputType.STATUS, keys, owner,
				LEASE_MILLIS);
		if (reply.toCompletableFuture().join() == null) {
			throw new IllegalStateException("Lock '" + lock + "' is held, and the floor can't wait");
		}
		return () -> {
			RedisFuture<Long> released = this.commands.evalsha(this.release, ScriptOutputType.INTEGER, keys, owner);
			if (this.confirmed) {
				released.toCompletableFuture().join();
			}
		};
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
	}

}
