package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.DataCommand.Kind;

/**
 * The commands on hashes, lists and sets.
 */
final class CollectionCommands {

	private CollectionCommands() {
	}

	static void addTo(Map<String, DataCommand> commands) {
		addHash(commands);
		addList(commands);
		commands.put("SADD", new DataCommand(2, DataCommand.ALL, 1, Kind.GROW, (keys, arguments) -> {
			Set<String> members = keys.get(arguments[0], Value.Members.EMPTY).copy();
			int before = members.size();
			Collections.addAll(members, rest(arguments));
			keys.put(arguments[0], new Value.Members(members));
			return (long) members.size() - before;
		}));
		commands.put("SMEMBERS", new DataCommand(1, 1, 1, Kind.READ,
				(keys, arguments) -> List.copyOf(keys.get(arguments[0], Value.Members.EMPTY).copy())));
	}

	private static void addHash(Map<String, DataCommand> commands) {
		commands.put("HSET", new DataCommand(3, DataCommand.ALL, 1, Kind.GROW, CollectionCommands::hset));
		commands.put("HGET", new DataCommand(2, 2, 1, Kind.READ,
				(keys, arguments) -> hash(keys, arguments).fields().get(arguments[1])));
		commands.put("HDEL", new DataCommand(2, DataCommand.ALL, 1, Kind.WRITE, (keys, arguments) -> {
			Map<String, String> fields = hash(keys, arguments).copy();
			int before = fields.size();
			fields.keySet().removeAll(List.of(rest(arguments)));
			if (fields.size() != before) {
				keys.put(arguments[0], new Value.Hash(fields));
			}
			return (long) before - fields.size();
		}));
		commands.put("HLEN",
				new DataCommand(1, 1, 1, Kind.READ, (keys, arguments) -> (long) hash(keys, arguments).fields().size()));
		commands.put("HKEYS", new DataCommand(1, 1, 1, Kind.READ,
				(keys, arguments) -> List.copyOf(hash(keys, arguments).fields().keySet())));
		commands.put("HGETALL", new DataCommand(1, 1, 1, Kind.READ, (keys, arguments) -> {
			List<String> all = new ArrayList<>();
			hash(keys, arguments).fields().forEach((field, value) -> Collections.addAll(all, field, value));
			return all;
		}));
	}

	private static Value.Hash hash(KeySpace keys, String[] arguments) {
		return keys.get(arguments[0], Value.Hash.EMPTY);
	}

	private static Object hset(KeySpace keys, String[] arguments) {
		if (arguments.length % 2 == 0) {
			throw new CommandException("ERR wrong number of arguments for 'hset' command");
		}
		Map<String, String> fields = hash(keys, arguments).copy();
		int before = fields.size();
		for (int i = 1; i < arguments.length; i += 2) {
			fields.put(arguments[i], arguments[i + 1]);
		}
		keys.put(arguments[0], new Value.Hash(fields));
		return (long) fields.size() - before;
	}

	private static void addList(Map<String, DataCommand> commands) {
		commands.put("RPUSH", new DataCommand(2, DataCommand.ALL, 1, Kind.GROW, (keys, arguments) -> {
			List<String> elements = list(keys, arguments).copy();
			Collections.addAll(elements, rest(arguments));
			keys.put(arguments[0], new Value.Sequence(elements));
			return (long) elements.size();
		}));
		commands.put("LPUSH", new DataCommand(2, DataCommand.ALL, 1, Kind.GROW, (keys, arguments) -> {
			List<String> elements = list(keys, arguments).copy();
			List.of(rest(arguments)).forEach((element) -> elements.add(0, element));
			keys.put(arguments[0], new Value.Sequence(elements));
			return (long) elements.size();
		}));
		commands.put("LPOP", new DataCommand(1, 1, 1, Kind.WRITE, CollectionCommands::lpop));
		commands.put("LLEN", new DataCommand(1, 1, 1, Kind.READ,
				(keys, arguments) -> (long) list(keys, arguments).elements().size()));
		commands.put("LINDEX", new DataCommand(2, 2, 1, Kind.READ, (keys, arguments) -> {
			List<String> elements = list(keys, arguments).elements();
			long index = Numbers.integer(arguments[1]);
			index = (index < 0) ? index + elements.size() : index;
			return (index < 0 || index >= elements.size()) ? null : elements.get((int) index);
		}));
		commands.put("LRANGE", new DataCommand(3, 3, 1, Kind.READ,
				(keys, arguments) -> range(list(keys, arguments).elements(), arguments[1], arguments[2])));
		commands.put("LREM", new DataCommand(3, 3, 1, Kind.WRITE, CollectionCommands::lrem));
		commands.put("LINSERT", new DataCommand(4, 4, 1, Kind.GROW, CollectionCommands::linsert));
	}

	private static Value.Sequence list(KeySpace keys, String[] arguments) {
		return keys.get(arguments[0], Value.Sequence.EMPTY);
	}

	private static @Nullable Object lpop(KeySpace keys, String[] arguments) {
		List<String> elements = list(keys, arguments).copy();
		if (elements.isEmpty()) {
			return null;
		}
		String first = elements.remove(0);
		keys.put(arguments[0], new Value.Sequence(elements));
		return first;
	}

	private static Object lrem(KeySpace keys, String[] arguments) {
		long most = Numbers.integer(arguments[1]);
		if (most < 0) {
			throw new UnsupportedOperationException("LREM from the end is not simulated");
		}
		List<String> elements = list(keys, arguments).copy();
		int before = elements.size();
		// all of them if the most is 0
		boolean removes = elements.remove(arguments[2]);
		while (removes && before - elements.size() != most) {
			removes = elements.remove(arguments[2]);
		}
		if (elements.size() != before) {
			keys.put(arguments[0], new Value.Sequence(elements));
		}
		return (long) before - elements.size();
	}

	private static Object linsert(KeySpace keys, String[] arguments) {
		String where = arguments[1].toUpperCase(Locale.ROOT);
		if (!where.equals("BEFORE") && !where.equals("AFTER")) {
			throw CommandException.syntax();
		}
		List<String> elements = list(keys, arguments).copy();
		if (elements.isEmpty()) {
			return 0L;
		}
		int pivot = elements.indexOf(arguments[2]);
		if (pivot < 0) {
			return -1L;
		}
		elements.add(where.equals("BEFORE") ? pivot : pivot + 1, arguments[3]);
		keys.put(arguments[0], new Value.Sequence(elements));
		return (long) elements.size();
	}

	/** Return the elements between two positions, of which negative ones count back. */
	static List<String> range(List<String> elements, String first, String last) {
		long from = Numbers.integer(first);
		long to = Numbers.integer(last);
		from = Math.max(0, (from < 0) ? from + elements.size() : from);
		to = Math.min(elements.size() - 1, (to < 0) ? to + elements.size() : to);
		return (from > to) ? List.of() : List.copyOf(elements.subList((int) from, (int) to + 1));
	}

	private static String[] rest(String[] arguments) {
		return Arrays.copyOfRange(arguments, 1, arguments.length);
	}

}
