package io.github.lockboot.simulation.exhaustive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.simulation.server.LuaMachine;
import io.github.lockboot.simulation.server.Rights;
import io.github.lockboot.simulation.server.SimulatedRedis;
import io.github.lockboot.simulation.server.SimulatedRedis.Snapshot;
import io.github.lockboot.simulation.server.SimulatedRedis.Version;

/**
 * Runs the scripts for one lock, on the keys and at the time of a state. Many states have
 * the same keys, so the outcomes of the latest calls are kept.
 */
final class Calls {

	/** A third of a lease, in ms: a claim window, and more than tokens are reserved. */
	static final long UNIT = 2000;

	static final long LEASE = 3 * UNIT;

	private static final long BEGIN = 1_790_000_000_000L;

	private static final Map<String, LuaScript> SCRIPTS = Map.of("acquire", ShippedScripts.ACQUIRE, "confirm",
			ShippedScripts.KEEP_QUEUED, "renew", ShippedScripts.RENEW, "downgrade", ShippedScripts.DOWNGRADE, "release",
			ShippedScripts.RELEASE, "force", ShippedScripts.FORCE, "inspect", ShippedScripts.INSPECT, "batch",
			ShippedScripts.BATCH);

	/** Of the two calls of a batch. */
	private static final List<String> BATCH_KEYS = Stream
		.of(ShippedScripts.KEYS.subList(0, 4), ShippedScripts.KEYS.subList(0, 4))
		.flatMap(List::stream)
		.toList();

	private final int mostOutcomes;

	private final Map<Call, Outcome> outcomes = new HashMap<>();

	/** One instance for equal keys, to save memory. */
	private final Map<Snapshot, Snapshot> snapshots = new HashMap<>();

	private final Map<Moment, String> texts = new HashMap<>();

	private final List<String> messages = new ArrayList<>();

	private final SimulatedRedis server;

	private final int[] connections = new int[2];

	private long now = BEGIN;

	/**
	 * Create calls.
	 * @param mostOutcomes how many outcomes are kept; memory is for states
	 */
	Calls(LuaMachine lua, int mostOutcomes) {
		this.mostOutcomes = mostOutcomes;
		this.server = new SimulatedRedis(lua, Version.SEVEN, () -> this.now * 1000,
				(connection, kind, channel, message) -> this.messages.add(message));
		for (int jvm = 0; jvm < 2; jvm++) {
			this.connections[jvm] = this.server.connect(Rights.ALL);
		}
		SCRIPTS.values().forEach((script) -> execute("SCRIPT", "LOAD", script.text()));
	}

	static long now(State state) {
		return BEGIN + state.tick() * UNIT;
	}

	private @Nullable Object execute(String command, String... arguments) {
		return this.server.execute(this.connections[0], command, arguments);
	}

	/** Runs a script; JVMs that live get messages. */
	Outcome run(State state, String call, List<Object> arguments) {
		if (this.outcomes.size() >= this.mostOutcomes || this.texts.size() >= this.mostOutcomes) {
			this.outcomes.clear();
			this.snapshots.clear();
			this.texts.clear();
		}
		return this.outcomes.computeIfAbsent(
				new Call(new Moment(state.keys(), state.tick()), state.crashed(), call, arguments),
				(key) -> newOutcome(state, call, arguments));
	}

	private Outcome newOutcome(State state, String call, List<Object> arguments) {
		this.now = now(state);
		this.server.restore(state.keys());
		this.messages.clear();
		for (int jvm = 0; jvm < 2; jvm++) {
			execute(jvm, (jvm == state.crashed()) ? "UNSUBSCRIBE" : "SUBSCRIBE");
		}
		LuaScript script = SCRIPTS.get(call);
		if (script == null) {
			throw new IllegalArgumentException(call);
		}
		List<String> keys = call.equals("batch") ? BATCH_KEYS : ShippedScripts.KEYS;
		Object reply = execute("EVALSHA",
				Stream
					.concat(Stream.concat(Stream.of(script.sha1(), "" + keys.size()), keys.stream()),
							arguments.stream().map(String::valueOf))
					.toArray(String[]::new));
		return new Outcome(reply, keys(), List.copyOf(this.messages));
	}

	private Snapshot keys() {
		Snapshot keys = this.server.snapshot();
		Snapshot known = this.snapshots.putIfAbsent(keys, keys);
		return (known != null) ? known : keys;
	}

	private void execute(int jvm, String command) {
		this.server.execute(this.connections[jvm], command,
				ShippedScripts.CHANNELS + ((jvm == 0) ? "a" : "b").repeat(16));
	}

	/** Return the keys as text, with times relative to the present. */
	String canonical(State state) {
		return this.texts.computeIfAbsent(new Moment(state.keys(), state.tick()), (moment) -> {
			this.now = now(state);
			this.server.restore(state.keys());
			return this.server.dump();
		});
	}

	/**
	 * What a script did.
	 *
	 * @param keys the keys after it
	 * @param messages what it published to JVMs that live
	 */
	record Outcome(@Nullable Object reply, Snapshot keys, List<String> messages) {

	}

	private record Moment(Snapshot keys, int tick) {

	}

	private record Call(Moment moment, int crashed, String script, List<Object> arguments) {

	}

}
