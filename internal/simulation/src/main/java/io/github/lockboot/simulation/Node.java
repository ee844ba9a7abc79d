package io.github.lockboot.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.LuaMachine;
import io.github.lockboot.simulation.server.Rights;
import io.github.lockboot.simulation.server.SimulatedRedis;

/** A server of the world, with its clock and its connections. */
final class Node {

	/** In 2026. */
	static final long EPOCH_MICROS = 1_790_000_000_000_000L;

	private final Scheduler.Machine machine = new Scheduler.Machine();

	private final String name;

	private final SimulatedRedis redis;

	private final Map<Integer, Link<?>> links = new HashMap<>();

	private final LongSupplier micros;

	private final long driftMillionths;

	/** How far the clock was stepped. */
	private long steppedMicros;

	Node(String name, Scheduler scheduler, long drift, LuaMachine lua) {
		this.name = name;
		this.driftMillionths = drift;
		this.micros = () -> EPOCH_MICROS + clockMicros(TimeUnit.NANOSECONDS.toMicros(scheduler.nowNanos()));
		this.redis = new SimulatedRedis(lua, SimulatedRedis.Version.SEVEN, this.micros,
				(connection, kind, channel, message) -> {
					Link<?> link = this.links.get(connection);
					if (link != null) {
						link.push(channel, message);
					}
				});
		this.redis.setReplicas(1);
	}

	String name() {
		return this.name;
	}

	Scheduler.Machine machine() {
		return this.machine;
	}

	SimulatedRedis redis() {
		return this.redis;
	}

	private long clockMicros(long micros) {
		return micros + this.steppedMicros + micros / 1000 * this.driftMillionths / 1000;
	}

	/** Whether an owner, or a round of it, holds a lock. */
	boolean holds(String lock, String owner) {
		String holder = this.redis.value("lock:{" + lock + "}");
		return (holder != null && holder.startsWith(owner + "R")) || heldNanos(lock, owner) > 0;
	}

	/** Return for how long an owner holds a lock from now on; 0 if it does not. */
	long heldNanos(String lock, String owner) {
		String key = "lock:{" + lock + "}";
		String holder = this.redis.value(key);
		long millis = 0;
		if (owner.equals(holder) || ("shared " + owner).equals(holder)) {
			millis = (Long) Objects.requireNonNull(this.redis.read("PTTL", key)) + 1;
		}
		else if ("shared".equals(holder) && this.redis.read("ZSCORE", key + ":r", owner) instanceof String until) {
			millis = (long) Double.parseDouble(until) - this.micros.getAsLong() / 1000 + 1;
		}
		return TimeUnit.MILLISECONDS.toNanos(millis) / (1_000_000 + this.driftMillionths) * 1_000_000;
	}

	void step(long micros) {
		this.steppedMicros += micros;
	}

	int connect(Link<?> link, Rights rights) {
		int connection = this.redis.connect(rights);
		this.links.put(connection, link);
		return connection;
	}

	boolean isConnected(int connection) {
		return this.links.containsKey(connection);
	}

	void disconnect(int connection) {
		if (this.links.remove(connection) != null) {
			this.redis.disconnect(connection);
		}
	}

	@Nullable Object execute(int connection, String[] words) {
		String[] arguments = new String[words.length - 1];
		System.arraycopy(words, 1, arguments, 0, arguments.length);
		return this.redis.execute(connection, words[0], arguments);
	}

	void flushScripts() {
		int connection = this.redis.connect(Rights.ALL);
		this.redis.execute(connection, "SCRIPT", "FLUSH");
		this.redis.disconnect(connection);
	}

	/** Closes all connections, as a server does that ends. */
	void cutAll() {
		Map.copyOf(this.links).entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach((each) -> {
			disconnect(each.getKey());
			each.getValue().closedByServer();
		});
	}

}
