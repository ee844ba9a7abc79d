package io.github.lockboot.simulation.exhaustive;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.simulation.server.LuaMachine;
import io.github.lockboot.simulation.server.RandomCalls;
import io.github.lockboot.simulation.server.RandomCalls.Call;
import io.github.lockboot.simulation.server.Rights;
import io.github.lockboot.simulation.server.SimulatedRedis;
import io.github.lockboot.simulation.server.SimulatedRedis.Version;

/**
 * What calls of all scripts reply, publish and leave on a server of their own.
 */
final class Trace {

	private static final int CALLS = 400;

	private final List<String> trace = new ArrayList<>();

	private final SimulatedRedis server;

	private final int connection;

	private final String channels;

	private long now;

	private Trace(LuaMachine lua, Version version, String channels) {
		this.channels = channels;
		this.server = new SimulatedRedis(lua, version, () -> this.now,
				(connection, kind, channel, message) -> this.trace.add(kind + message));
		this.connection = this.server.connect(Rights.ALL);
		RandomCalls.JVMS.subList(0, 2)
			.forEach((jvm) -> List.of("SUBSCRIBE", "SSUBSCRIBE")
				.forEach((command) -> this.server.execute(this.connection, command, this.channels + jvm)));
	}

	/** Return what the scripts of a machine do on one server after the other. */
	static Stream<List<String>> of(LuaMachine lua) {
		return Stream.concat(LongStream.rangeClosed(1, 14).mapToObj((seed) -> random(lua, seed)),
				LongQueue.ALL.stream().flatMap((queue) -> queue(lua, queue)));
	}

	private static List<String> random(LuaMachine lua, long seed) {
		// the channels of a node of a cluster, and those that all nodes have
		String hashTag = (seed == 9) ? "{b}" : (seed == 10) ? "{}" : "";
		Trace calls = new Trace(lua, (seed == 8) ? Version.SIX : Version.SEVEN, ShippedScripts.CHANNELS + hashTag);
		int count = 0;
		for (Call call : new RandomCalls(seed, 1).next(CALLS)) {
			calls.server.setOutOfMemory(count++ % 16 == 15);
			// later ones so that leases and deadlines end in the same millisecond
			calls.at((seed > 10) ? call.micros() / 500_000 * 500_000 : call.micros());
			if (call.script() == null) {
				calls.command(call.words());
			}
			else {
				calls.script(call.script(), RandomCalls.keys(call), call.words());
			}
			if (seed > 10) {
				calls.script(ShippedScripts.INSPECT, ShippedScripts.KEYS, List.of());
			}
		}
		return calls.trace;
	}

	private static Stream<List<String>> queue(LuaMachine lua, LongQueue queue) {
		return Stream.of(0, 1, 2, 4).map((kind) -> {
			Trace calls = new Trace(lua, Version.SEVEN, ShippedScripts.CHANNELS);
			queue.run(calls, kind);
			return calls.trace;
		});
	}

	void at(long micros) {
		this.now = micros;
	}

	String channels() {
		return this.channels;
	}

	void script(LuaScript script, List<String> keys, List<String> arguments) {
		List<String> words = new ArrayList<>(List.of("EVAL", script.text(), "" + keys.size()));
		words.addAll(keys);
		arguments.forEach((word) -> words.add(word.equals(ShippedScripts.CHANNELS) ? this.channels : word));
		command(words);
	}

	void command(List<String> words) {
		Object reply = execute(words);
		this.trace.add(this.now + " " + reply);
		this.trace.add(Integer.toHexString(this.server.dump().hashCode()));
	}

	@Nullable Object execute(List<String> words) {
		return this.server.execute(this.connection, words.get(0),
				words.subList(1, words.size()).toArray(String[]::new));
	}

}
