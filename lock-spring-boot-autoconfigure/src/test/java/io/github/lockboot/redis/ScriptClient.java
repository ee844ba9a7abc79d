package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.transport.Applications;
import io.github.lockboot.redis.transport.RedisTransport;

/**
 * Runs the scripts of one lock on a server, and looks at what they left.
 */
final class ScriptClient implements AutoCloseable {

	static final long MEMORY_MILLIS = 600_000;

	final String lock;

	final String fence;

	private final RedisServer server;

	private final RedisTransport transport;

	private final String[] keys = LockKeys.of("lock:", "orders:42");

	ScriptClient(RedisServer server) {
		this.server = server;
		this.transport = RedisTransport.connect(Applications.of(server), Duration.ofSeconds(2), LockScript.all());
		this.lock = this.keys[0];
		this.fence = this.keys[1];
	}

	List<Object> acquire(String owner, long leaseMillis, long seenToken) {
		return run(LockScript.ACQUIRE, owner, leaseMillis, seenToken, MEMORY_MILLIS);
	}

	List<Object> renew(String owner, long leaseMillis) {
		return run(LockScript.RENEW, owner, leaseMillis, MEMORY_MILLIS);
	}

	List<Object> release(String owner, long leaseMillis, long usedToken) {
		return run(LockScript.RELEASE, owner, leaseMillis, usedToken, MEMORY_MILLIS);
	}

	private List<Object> run(LockScript script, Object... arguments) {
		String[] texts = List.of(arguments).stream().map(String::valueOf).toArray(String[]::new);
		return this.transport.run(script.script(), this.keys, texts).orTimeout(5, TimeUnit.SECONDS).join();
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

	long remainingMillis(String key) {
		return Long.parseLong(String.valueOf(this.server.command("PTTL", key)));
	}

	boolean exists(String key) {
		return Long.valueOf(1).equals(this.server.command("EXISTS", key));
	}

	long timeMicros() {
		List<?> time = (List<?>) java.util.Objects.requireNonNull(this.server.command("TIME"));
		return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
	}

	/** From now on there is no memory for a key more. */
	void exhaustMemory() {
		this.server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.server.command("CONFIG", "SET", "maxmemory", "1");
	}

	@Override
	public void close() {
		this.transport.close();
	}

}
