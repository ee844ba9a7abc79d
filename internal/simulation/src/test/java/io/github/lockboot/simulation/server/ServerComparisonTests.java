package io.github.lockboot.simulation.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.simulation.server.RandomCalls.Call;
import io.github.lockboot.simulation.server.SimulatedRedis.Version;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulated server beside a real one: the same calls of the shipped scripts lead to
 * equal replies, messages and keys. Both take the time from two keys; the rest of a life
 * may differ by a tenth of the least unit.
 */
class ServerComparisonTests {

	private static final int SEEDS = "night".equals(System.getProperty("simulation")) ? 300 : 6;

	private static final int CALLS = 300;

	/** In ms; no life in these calls is less than ten times as much. */
	private static final long TOLERANCE = 100_000;

	static Stream<Integer> seeds() {
		return Stream.iterate(1, (seed) -> seed + 1).limit(SEEDS);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void bothServersAnswerAlike(int seed) throws IOException {
		RedisServer server = RedisFixture.shared();
		server.flushAll();
		List<String> messages = new ArrayList<>();
		try (RealRedis real = new RealRedis(server.host(), server.port());
				RealRedis subscriber = new RealRedis(server.host(), server.port());
				LuaMachine lua = new LuaMachine()) {
			SimulatedRedis simulated = new SimulatedRedis(lua,
					server.version().startsWith("6.") ? Version.SIX : Version.SEVEN, () -> 1_790_000_000_000_000L,
					(connection, kind, channel, message) -> messages.add(channel + " " + message));
			int connection = simulated.connect(Rights.ALL);
			Function<List<String>, @Nullable Object> execute = (words) -> simulated.execute(connection, words.get(0),
					words.subList(1, words.size()).toArray(String[]::new));
			for (String jvm : RandomCalls.JVMS.subList(0, 2)) {
				subscriber.execute(List.of("SUBSCRIBE", ShippedScripts.CHANNELS + jvm));
				execute.apply(List.of("SUBSCRIBE", ShippedScripts.CHANNELS + jvm));
			}
			List<String> story = new ArrayList<>();
			for (Call call : new RandomCalls(seed, 1000).next(CALLS)) {
				story.add(call.toString());
				List<List<String>> commands = commands(call);
				commands.forEach((command) -> assertAlike(real.execute(command), execute.apply(command), story));
				for (String message : messages) {
					assertThat(subscriber.reply()).as(story.toString())
						.isEqualTo(Stream.concat(Stream.of("message"), Arrays.stream(message.split(" ", 2))).toList());
				}
				messages.clear();
				ShippedScripts.KEYS
					.forEach((key) -> assertAlike(content(real::execute, key), content(execute, key), story));
			}
		}
	}

	private static List<List<String>> commands(Call call) {
		List<List<String>> commands = new ArrayList<>();
		commands.add(List.of("SET", "time:s", Long.toString(call.micros() / 1_000_000)));
		commands.add(List.of("SET", "time:u", Long.toString(call.micros() % 1_000_000)));
		if (call.script() == null) {
			commands.add(call.words());
			return commands;
		}
		List<String> keys = RandomCalls.keys(call);
		List<String> words = new ArrayList<>(List.of("EVAL", slow(call.script().text()), "" + keys.size()));
		words.addAll(keys);
		words.addAll(call.words());
		commands.add(words);
		return commands;
	}

	/** A script that takes the time from keys, and whose times are 1000 times as long. */
	private static String slow(String text) {
		String slow = text.replace("call('TIME')", "call('MGET', 'time:s', 'time:u')")
			.replace("= 600000, 2000, 5000,", "= 600000000, 2000000, 5000000,")
			.replace("local recent = 1000\n", "local recent = 1000000\n");
		boolean timeless = text.equals(ShippedScripts.EXTEND.text());
		assertThat(slow).doesNotContain("'TIME'")
			.satisfiesAnyOf((script) -> assertThat(timeless).isTrue(),
					(script) -> assertThat(script).contains("600000000").contains("recent = 1000000\n"));
		return slow;
	}

	private static List<@Nullable Object> content(Function<List<String>, @Nullable Object> execute, String key) {
		String type = String.valueOf(execute.apply(List.of("TYPE", key)));
		Object value = switch (type) {
			case "string" -> execute.apply(List.of("GET", key));
			case "list" -> execute.apply(List.of("LRANGE", key, "0", "-1"));
			// not in the order of scores, which differ by the time that calls take
			case "zset" -> sorted((List<?>) execute.apply(List.of("ZRANGE", key, "0", "-1", "WITHSCORES")));
			case "hash" -> sorted((List<?>) execute.apply(List.of("HGETALL", key)));
			default -> null;
		};
		return Arrays.asList(type, value, execute.apply(List.of("PTTL", key)));
	}

	private static List<String> sorted(@Nullable List<?> fields) {
		TreeMap<String, String> sorted = new TreeMap<>();
		for (int i = 0; fields != null && i < fields.size(); i += 2) {
			sorted.put(String.valueOf(fields.get(i)), String.valueOf(fields.get(i + 1)));
		}
		return sorted.entrySet().stream().flatMap((field) -> Stream.of(field.getKey(), field.getValue())).toList();
	}

	private static void assertAlike(@Nullable Object real, @Nullable Object simulated, List<String> story) {
		assertThat(isAlike(real, simulated))
			.as(() -> "real " + real + ", simulated " + simulated + " after " + String.join("\n", story))
			.isTrue();
	}

	private static boolean isAlike(@Nullable Object real, @Nullable Object simulated) {
		if (real instanceof List<?> list && simulated instanceof List<?> other) {
			for (int i = 0; i < Math.min(list.size(), other.size()); i++) {
				if (!isAlike(list.get(i), other.get(i))) {
					return false;
				}
			}
			return list.size() == other.size();
		}
		String text = String.valueOf(real);
		String other = String.valueOf(simulated);
		if (real instanceof RedisError && simulated instanceof RedisError) {
			return text.split(" ")[1].equals(other.split(" ")[1]);
		}
		return text.equals(other) || (isTime(text) && isTime(other)
				&& Math.abs(Long.parseLong(text) - Long.parseLong(other)) < TOLERANCE);
	}

	private static boolean isTime(String text) {
		return text.matches("\\d{5,13}");
	}

}
