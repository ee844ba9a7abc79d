package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.RedisCommands.CacheScript;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * Runs the scripts of one entry on a server, and reads the resulting keys.
 */
final class CacheScriptClient implements AutoCloseable {

	static final long LEASE = 30_000;

	static final long LIFE = 60_000;

	static final long MEMORY = 5_000;

	static final int LONGEST = 64;

	static final String CHANNELS = "cache:inbox:";

	static final String CHANGES = "cache:product:changes";

	final EntryKeys keys = new CacheKeys("cache:").entry("product", 7, "42");

	private final RedisServer server;

	private final RedisConnection<byte[]> transport;

	CacheScriptClient(RedisServer server) {
		this.server = server;
		this.transport = Connections.connectForCache(ConnectionSettings.of(Applications.of(server)), null,
				Duration.ofSeconds(2), CacheScript.all());
	}

	List<Object> acquire(String attempt) {
		return acquire(attempt, "", "", "");
	}

	List<Object> acquire(String attempt, String rejected, String instance, String seen) {
		return acquire(attempt, rejected, instance, seen, 0);
	}

	List<Object> acquire(String attempt, String rejected, String instance, String seen, long passed) {
		return run(CacheScript.ACQUIRE, attempt, LEASE, rejected, instance, seen, passed);
	}

	List<Object> store(String attempt, String entry) {
		return store(attempt, entry, "");
	}

	List<Object> store(String attempt, String entry, String graceEnd) {
		return run(CacheScript.STORE, attempt, entry, LIFE, CHANNELS, LONGEST, graceEnd);
	}

	List<Object> abandon(String attempt) {
		return abandon(attempt, 0);
	}

	List<Object> abandon(String attempt, long pause) {
		return run(CacheScript.ABANDON, attempt, CHANNELS, pause);
	}

	List<Object> renew(String attempt, long lease) {
		return run(CacheScript.RENEW, attempt, lease);
	}

	List<Object> evict(long grace) {
		return run(CacheScript.EVICT, grace, MEMORY, CHANNELS, CHANGES);
	}

	List<Object> put(String entry) {
		return run(CacheScript.PUT, entry, LIFE, MEMORY, CHANNELS, LONGEST, CHANGES, "");
	}

	/** The single steps replace scripts with several keys while a slot is migrated. */
	List<Object> step(String step, String key, Object... arguments) {
		return run(CacheScript.STEP, new String[] { key },
				Stream.concat(Stream.of(step), Stream.of(arguments)).toArray());
	}

	long epoch(long seen) {
		return Long.parseLong(
				(String) run(CacheScript.EPOCH, new String[] { "cache:product:epoch" }, seen, "cache:clears", "product")
					.get(0));
	}

	long clear(long seen) {
		return Long.parseLong(
				(String) run(CacheScript.CLEAR, new String[] { "cache:product:epoch" }, seen, "cache:clears", "product")
					.get(0));
	}

	private List<Object> run(CacheScript script, Object... arguments) {
		return run(script, this.keys.all(), arguments);
	}

	private List<Object> run(CacheScript script, String[] keys, Object... arguments) {
		byte[][] bytes = List.of(arguments)
			.stream()
			.map((argument) -> String.valueOf(argument).getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
		return this.transport.run(script.script(), keys, bytes)
			.orTimeout(5, TimeUnit.SECONDS)
			.join()
			.stream()
			.map((element) -> (element instanceof byte[] text) ? new String(text, StandardCharsets.UTF_8) : element)
			.toList();
	}

	/** Subscribe as the JVM with a name. */
	RecordingInbox listen(String instance) {
		return new RecordingInbox(this.transport, CHANNELS + instance);
	}

	/** Subscribe to the changes of the cache. */
	RecordingInbox listenToChanges() {
		return new RecordingInbox(this.transport, CHANGES);
	}

	RecordingInbox listenToClears() {
		return new RecordingInbox(this.transport, "cache:clears");
	}

	String entry() {
		return String.valueOf(this.server.command("GET", this.keys.data()));
	}

	String lease() {
		return String.valueOf(this.server.command("GET", this.keys.lease()));
	}

	String tombstone() {
		return String.valueOf(this.server.command("GET", this.keys.tombstone()));
	}

	long remainingMillis(String key) {
		return Long.parseLong(String.valueOf(this.server.command("PTTL", key)));
	}

	boolean exists(String key) {
		return Long.valueOf(1).equals(this.server.command("EXISTS", key));
	}

	long timeMicros() {
		List<?> time = (List<?>) Objects.requireNonNull(this.server.command("TIME"));
		return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
	}

	void exhaustMemory() {
		this.server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.server.command("CONFIG", "SET", "maxmemory", "1");
	}

	@Override
	public void close() {
		this.transport.close();
	}

}
