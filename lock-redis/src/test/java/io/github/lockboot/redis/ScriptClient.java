package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * Runs the scripts of one lock on a server, and reads the resulting keys.
 */
final class ScriptClient implements AutoCloseable {

	static final long MEMORY_MILLIS = 600_000;

	/** Tokens are reserved for this time ahead of the time of Redis. */
	static final long AHEAD_MILLIS = 1_000;

	/** The number of tokens that are reserved if they are ahead of that time. */
	static final long FEW = 1_000;

	static final long CLAIM_MILLIS = 2_000;

	/** The same for a waiter that polls. */
	static final long POLLED_CLAIM_MILLIS = 1_000;

	/** How long a waiter stays in the queue without another call. */
	static final long LIFE_MILLIS = 5_000;

	private static final LockKeys KEYS = new LockKeys("lock:");

	final String lock;

	final String fence;

	final String queue;

	final String polled;

	final String deadlines;

	final String sharers;

	private final RedisServer server;

	private final RedisConnection<String> connection;

	private final String[] keys;

	ScriptClient(RedisServer server) {
		this(server, Applications.of(server));
	}

	ScriptClient(RedisServer server, LettuceConnectionFactory application) {
		this(server, Applications.connect(application, Duration.ofSeconds(2), LockScripts.ALL), "orders:42");
	}

	private ScriptClient(RedisServer server, RedisConnection<String> connection, String name) {
		this.server = server;
		this.connection = connection;
		this.keys = KEYS.of(name);
		this.lock = this.keys[0];
		this.fence = this.keys[1];
		this.queue = this.keys[2];
		this.polled = this.keys[3];
		this.deadlines = this.keys[4];
		this.sharers = this.keys[5];
	}

	/** The same client for another lock. */
	ScriptClient about(String name) {
		return new ScriptClient(this.server, this.connection, name);
	}

	String[] keys() {
		return this.keys.clone();
	}

	/** Try once. */
	List<Object> acquire(String owner, long leaseMillis, long seenToken) {
		return acquire(owner, leaseMillis, seenToken, "no", 1);
	}

	/** Try to acquire, and queue after the others if the lock is busy. */
	List<Object> queue(String owner, long leaseMillis) {
		return acquire(owner, leaseMillis, 0, "tail", 1);
	}

	/** As a JVM that is not notified. */
	List<Object> queueAndPoll(String owner, long leaseMillis) {
		return queueToShareAndPoll(owner, leaseMillis, 1);
	}

	/** As a JVM that is not notified. */
	List<Object> queueToShareAndPoll(String owner, long leaseMillis, long permits) {
		return acquire(owner, leaseMillis, 0, "tail polls", permits);
	}

	/** Try to acquire, and queue before the others if the lock is busy. */
	List<Object> queueInFront(String owner, long leaseMillis) {
		return queueAgain(owner, leaseMillis, 0);
	}

	/**
	 * Try to acquire, and queue again with an earlier arrival time if the lock is busy.
	 */
	List<Object> queueAgain(String owner, long leaseMillis, long sinceMicros) {
		return acquire(owner, leaseMillis, 0, String.valueOf(sinceMicros), 1);
	}

	/** Try once to share the lock with others, up to a limit of holders. */
	List<Object> share(String owner, long leaseMillis, long permits) {
		return share(owner, leaseMillis, permits, 0);
	}

	List<Object> share(String owner, long leaseMillis, long permits, long seenToken) {
		return acquire(owner, leaseMillis, seenToken, "no", permits);
	}

	/** Share the lock with others, or queue until that is possible. */
	List<Object> queueToShare(String owner, long leaseMillis, long permits) {
		return acquire(owner, leaseMillis, 0, "tail", permits);
	}

	/**
	 * Return the reply of the script; the short form for a free lock is converted to the
	 * long one.
	 */
	private List<Object> acquire(String owner, long leaseMillis, long seenToken, String place, long permits) {
		List<Object> reply = run(LockScripts.ACQUIRE, owner, leaseMillis, seenToken, permits, KEYS.channelPrefix(),
				place);
		if (reply.size() > 1) {
			return reply;
		}
		long token = number(reply, 0);
		return List.of(1L, token, (permits == 1) ? reserved(token, leaseMillis) : token, 0L);
	}

	/** The last reserved token if the first one is the time of Redis. */
	static long reserved(long token, long leaseMillis) {
		return token + Math.min(leaseMillis, AHEAD_MILLIS) * 1000;
	}

	/** Confirm an exclusive waiter with its arrival time. */
	List<Object> keepQueued(String owner, long sinceMicros) {
		return run(LockScripts.KEEP_QUEUED, "", owner, 1, sinceMicros);
	}

	/** Confirm a second one with it, which requests to share the lock. */
	List<Object> keepQueued(String owner, long sinceMicros, String other, long permits, long otherSinceMicros) {
		return run(LockScripts.KEEP_QUEUED, "", owner, 1, sinceMicros, other, permits, otherSinceMicros);
	}

	List<Object> renew(String owner, long leaseMillis) {
		return run(LockScripts.RENEW, owner, leaseMillis, 0);
	}

	/** Extend the lease, and ask who waits. */
	List<Object> extend(String owner, long leaseMillis) {
		return run(LockScripts.EXTEND, new String[] { this.lock, this.keys[4], this.keys[3] }, owner, leaseMillis);
	}

	/** Release the lock after some time. */
	List<Object> releaseLater(String owner, long keptMillis, long usedToken) {
		return run(LockScripts.RENEW, owner, keptMillis, usedToken, KEYS.channelPrefix());
	}

	List<Object> release(String owner, long leaseMillis, long usedToken) {
		return run(LockScripts.RELEASE, owner, usedToken, leaseMillis, KEYS.channelPrefix());
	}

	/**
	 * Run several calls as one.
	 * @param letters one for each call
	 * @param locks names of the locks, one for each call
	 */
	List<Object> batch(String letters, List<String> locks, Object... arguments) {
		String[] keys = locks.stream().flatMap((name) -> Stream.of(KEYS.of(name)).limit(4)).toArray(String[]::new);
		return run(LockScripts.BATCH, keys, Stream.concat(Stream.of(letters), Stream.of(arguments)).toArray());
	}

	List<Object> force() {
		return run(LockScripts.FORCE, KEYS.channelPrefix());
	}

	List<Object> inspect() {
		return run(LockScripts.INSPECT);
	}

	private List<Object> run(LuaScript script, Object... arguments) {
		return run(script, this.keys, arguments);
	}

	private List<Object> run(LuaScript script, String[] keys, Object... arguments) {
		String[] texts = List.of(arguments).stream().map(String::valueOf).toArray(String[]::new);
		return this.connection.run(script, keys, texts).orTimeout(5, TimeUnit.SECONDS).join();
	}

	/** Subscribe as the JVM of an owner, until this client is closed. */
	ListeningJvm<String> listen(String owner) {
		return new ListeningJvm<>(this.connection, channel(owner));
	}

	static String channel(String owner) {
		return KEYS.channelPrefix() + owner.split(":")[0];
	}

	/** The token of an acquire that must succeed. */
	long take(String owner, long leaseMillis) {
		List<Object> reply = acquire(owner, leaseMillis, 0);
		if (number(reply, 0) != 1) {
			throw new AssertionError("Not acquired: " + reply);
		}
		return number(reply, 1);
	}

	static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

	String owner() {
		return String.valueOf(this.server.command("GET", this.lock));
	}

	String lastToken() {
		return String.valueOf(this.server.command("GET", this.fence));
	}

	/** Return the waiters, the next one first. */
	List<String> waiting() {
		return this.server.list("LRANGE", this.queue, "0", "-1");
	}

	/** Let the lease of the owner expire. */
	void expire() {
		this.server.command("PEXPIRE", this.lock, "1");
		Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> !exists(this.lock));
	}

	/** Let the deadline of a waiter pass. */
	void die(String waiter) {
		this.server.command("HSET", this.deadlines, waiter, String.valueOf(timeMicros() - 1));
	}

	/** Let a waiter stay queued for a time without another request. */
	void live(String waiter, long millis) {
		this.server.command("HSET", this.deadlines, waiter, (timeMicros() + millis * 1000) + " 1");
	}

	long remainingMillis(String key) {
		return Long.parseLong(String.valueOf(this.server.command("PTTL", key)));
	}

	boolean exists(String key) {
		return Long.valueOf(1).equals(this.server.command("EXISTS", key));
	}

	long timeMicros() {
		return this.server.time().toNanos() / 1000;
	}

	@Override
	public void close() {
		this.connection.close();
	}

}
