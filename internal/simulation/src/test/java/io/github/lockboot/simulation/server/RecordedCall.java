package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.simulation.server.SimulatedRedis.Version;

/**
 * A call of a script on a real server.
 *
 * @param file of the script
 * @param micros the time that it saw, or of its begin
 * @param times how many different times it saw
 * @param before type, value and rest of the life of each key
 * @param after the same at its end
 * @param elapsedMillis how long it ran
 * @param published command, channel, message, and how many received it
 */
record RecordedCall(String file, List<String> keys, List<String> arguments, long micros, long times, List<?> before,
		List<?> after, long elapsedMillis, List<?> published, @Nullable Object reply) {

	private static final Map<String, LuaScript> SCRIPTS = Map.of("acquire.lua", ShippedScripts.ACQUIRE,
			"keep-queued.lua", ShippedScripts.KEEP_QUEUED, "renew.lua", ShippedScripts.RENEW, "release.lua",
			ShippedScripts.RELEASE, "downgrade.lua", ShippedScripts.DOWNGRADE, "force.lua", ShippedScripts.FORCE,
			"inspect.lua", ShippedScripts.INSPECT, "batch.lua", ShippedScripts.BATCH);

	/** What is left of a life; numbers of one digit have other meanings. */
	private static final String MILLIS = "\\d{2,7}";

	static RecordedCall of(String text) {
		List<?> parts = list(RespReader.read(text));
		List<Long> times = list(parts.get(4)).stream().map(RecordedCall::micros).distinct().toList();
		return new RecordedCall(String.valueOf(parts.get(0)), words(parts.get(1)), words(parts.get(2)),
				times.isEmpty() ? micros(parts.get(3)) : times.get(0), times.size(), list(parts.get(5)),
				list(parts.get(6)), (Long) Objects.requireNonNull(parts.get(7)), list(parts.get(8)), parts.get(9));
	}

	private static long micros(Object time) {
		return Long.parseLong(words(time).get(0)) * 1_000_000 + Long.parseLong(words(time).get(1));
	}

	private static List<?> list(@Nullable Object value) {
		return (List<?>) Objects.requireNonNull(value);
	}

	private static List<String> words(Object list) {
		return list(list).stream().map(String::valueOf).toList();
	}

	/** Whether no key was about to expire, and the time did not go on for the script. */
	boolean isExact() {
		return this.times < 2 && Stream.concat(this.before.stream(), this.after.stream()).noneMatch((content) -> {
			long life = (Long) list(content).get(2);
			return life >= 0 && life <= 10 + tolerance();
		});
	}

	/** The clock of Redis goes on while a script runs. */
	private long tolerance() {
		return this.elapsedMillis + 2;
	}

	/** Makes the call on the simulated server; returns what is different, if anything. */
	List<String> differences(LuaMachine lua, Version version) {
		List<String> messages = new ArrayList<>();
		SimulatedRedis server = new SimulatedRedis(lua, version, () -> this.micros,
				(to, kind, channel, message) -> messages.add(channel + " " + message));
		int connection = server.connect(Rights.ALL);
		for (int i = 0; i < this.keys.size(); i++) {
			if (this.keys.indexOf(this.keys.get(i)) == i) { // a batch may repeat it
				restore(server, connection, this.keys.get(i), list(this.before.get(i)));
			}
		}
		List<String> expected = new ArrayList<>();
		Set<String> channels = new HashSet<>();
		for (Object each : this.published) {
			List<?> publication = list(each);
			String channel = String.valueOf(publication.get(1));
			if ((Long) publication.get(3) > 0) {
				expected.add(channel + " " + publication.get(2));
				if (channels.add(channel)) {
					server.execute(connection, publication.get(0).equals("PUBLISH") ? "SUBSCRIBE" : "SSUBSCRIBE",
							channel);
				}
			}
		}
		LuaScript script = Objects.requireNonNull(SCRIPTS.get(this.file));
		Object simulated = server.execute(connection, "EVAL",
				Stream
					.concat(Stream.of(script.text(), "" + this.keys.size()),
							Stream.concat(this.keys.stream(), this.arguments.stream()))
					.toArray(String[]::new));
		List<?> keysAfter = this.keys.stream().map((key) -> content(server, connection, key)).toList();
		List<String> differences = new ArrayList<>();
		compare("reply", this.reply, simulated, differences);
		compare("messages", expected, messages, differences);
		compare("keys", this.after, keysAfter, differences);
		return differences;
	}

	private static void restore(SimulatedRedis server, int connection, String key, List<?> content) {
		List<String> words = new ArrayList<>(words(content.get(1)));
		String command = switch (String.valueOf(content.get(0))) {
			case "string" -> "SET";
			case "list" -> "RPUSH";
			case "hash" -> "HSET";
			case "zset" -> "ZADD";
			default -> "";
		};
		if (command.isEmpty()) {
			return;
		}
		for (int i = 0; command.equals("ZADD") && i < words.size(); i += 2) {
			words.add(i, words.remove(i + 1)); // the score comes first
		}
		words.add(0, key);
		server.execute(connection, command, words.toArray(String[]::new));
		if ((Long) content.get(2) >= 0) {
			server.execute(connection, "PEXPIRE", key, String.valueOf(content.get(2)));
		}
	}

	private static List<?> content(SimulatedRedis server, int connection, String key) {
		String type = String.valueOf(server.execute(connection, "TYPE", key));
		Object value = switch (type) {
			case "string" -> List.of(Objects.requireNonNull(server.execute(connection, "GET", key)));
			case "list" -> server.execute(connection, "LRANGE", key, "0", "-1");
			case "hash" -> server.execute(connection, "HGETALL", key);
			case "zset" -> server.execute(connection, "ZRANGE", key, "0", "-1", "WITHSCORES");
			default -> List.of();
		};
		return Arrays.asList(type, value, server.execute(connection, "PTTL", key));
	}

	private void compare(String what, @Nullable Object real, @Nullable Object simulated, List<String> differences) {
		if (!isAlike(real, simulated)) {
			differences.add(what + " of " + this.file + ": " + real + ", but simulated " + simulated + ", for " + this);
		}
	}

	private boolean isAlike(@Nullable Object real, @Nullable Object simulated) {
		if (real instanceof List<?> list && simulated instanceof List<?> other) {
			return list.size() == other.size()
					&& IntStream.range(0, list.size()).allMatch((i) -> isAlike(list.get(i), other.get(i)));
		}
		String text = String.valueOf(real);
		String other = String.valueOf(simulated);
		return text.equals(other) || (text.matches(MILLIS) && other.matches(MILLIS)
				&& Math.abs(Long.parseLong(text) - Long.parseLong(other)) <= tolerance());
	}

}
