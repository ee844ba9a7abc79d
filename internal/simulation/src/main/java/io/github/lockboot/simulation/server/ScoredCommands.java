package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.DataCommand.Kind;

/**
 * The commands on sorted sets.
 */
final class ScoredCommands {

	private static final String NO_RANGE = "ERR min or max is not a float";

	private ScoredCommands() {
	}

	static void addTo(Map<String, DataCommand> commands) {
		commands.put("ZADD", new DataCommand(3, DataCommand.ALL, 1, Kind.GROW, ScoredCommands::zadd));
		commands.put("ZREM", new DataCommand(2, DataCommand.ALL, 1, Kind.WRITE, (keys, arguments) -> {
			Map<String, Double> scores = set(keys, arguments).copy();
			int before = scores.size();
			for (int i = 1; i < arguments.length; i++) {
				scores.remove(arguments[i]);
			}
			return removed(keys, arguments[0], scores, before);
		}));
		commands.put("ZCARD",
				new DataCommand(1, 1, 1, Kind.READ, (keys, arguments) -> (long) set(keys, arguments).scores().size()));
		commands.put("ZSCORE", new DataCommand(2, 2, 1, Kind.READ, (keys, arguments) -> {
			Double score = set(keys, arguments).scores().get(arguments[1]);
			return (score != null) ? Numbers.print(score) : null;
		}));
		commands.put("ZCOUNT", new DataCommand(3, 3, 1, Kind.READ, (keys, arguments) -> {
			double least = Numbers.score(arguments[1], NO_RANGE);
			double most = Numbers.score(arguments[2], NO_RANGE);
			return set(keys, arguments).scores()
				.values()
				.stream()
				.filter((score) -> score >= least && score <= most)
				.count();
		}));
		commands.put("ZRANGE", new DataCommand(3, 4, 1, Kind.READ, ScoredCommands::zrange));
		commands.put("ZREMRANGEBYSCORE", new DataCommand(3, 3, 1, Kind.WRITE, (keys, arguments) -> {
			double least = Numbers.score(arguments[1], NO_RANGE);
			double most = Numbers.score(arguments[2], NO_RANGE);
			Map<String, Double> scores = set(keys, arguments).copy();
			int before = scores.size();
			scores.values().removeIf((score) -> score >= least && score <= most);
			return removed(keys, arguments[0], scores, before);
		}));
	}

	private static Value.Scored set(KeySpace keys, String[] arguments) {
		return keys.get(arguments[0], Value.Scored.EMPTY);
	}

	private static Object removed(KeySpace keys, String key, Map<String, Double> scores, int before) {
		if (scores.size() != before) {
			keys.put(key, new Value.Scored(scores));
		}
		return (long) before - scores.size();
	}

	private static Object zadd(KeySpace keys, String[] arguments) {
		boolean ifPresent = arguments[1].equalsIgnoreCase("XX");
		int first = ifPresent ? 2 : 1;
		if ((arguments.length - first) % 2 != 0 || arguments.length == first) {
			throw CommandException.syntax();
		}
		Map<String, Double> scores = set(keys, arguments).copy();
		int before = scores.size();
		boolean changes = false;
		for (int i = first; i < arguments.length; i += 2) {
			double score = Numbers.score(arguments[i], "ERR value is not a valid float");
			if (!ifPresent || scores.containsKey(arguments[i + 1])) {
				scores.put(arguments[i + 1], score);
				changes = true;
			}
		}
		if (changes) {
			keys.put(arguments[0], new Value.Scored(scores));
		}
		return (long) scores.size() - before;
	}

	private static @Nullable Object zrange(KeySpace keys, String[] arguments) {
		boolean withScores = arguments.length == 4;
		if (withScores && !arguments[3].toUpperCase(Locale.ROOT).equals("WITHSCORES")) {
			throw CommandException.syntax();
		}
		Value.Scored set = set(keys, arguments);
		List<String> members = CollectionCommands.range(set.inOrder(), arguments[1], arguments[2]);
		if (!withScores) {
			return members;
		}
		List<String> pairs = new ArrayList<>();
		for (String member : members) {
			pairs.add(member);
			pairs.add(Numbers.print(set.scores().getOrDefault(member, 0.0)));
		}
		return pairs;
	}

}
