package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.DataCommand.Kind;

/**
 * The commands on strings, and on keys of any type.
 */
final class StringCommands {

	private static final long NO_SUCH_KEY = -2;

	private StringCommands() {
	}

	static void addTo(Map<String, DataCommand> commands) {
		commands.put("GET", new DataCommand(1, 1, 1, Kind.READ, (keys, arguments) -> keys.text(arguments[0])));
		commands.put("MGET", new DataCommand(1, DataCommand.ALL, DataCommand.ALL, Kind.READ, StringCommands::mget));
		commands.put("SET", new DataCommand(2, DataCommand.ALL, 1, Kind.GROW, StringCommands::set));
		commands.put("DEL", new DataCommand(1, DataCommand.ALL, DataCommand.ALL, Kind.WRITE,
				(keys, arguments) -> count(arguments, keys::remove)));
		commands.put("UNLINK", Objects.requireNonNull(commands.get("DEL")));
		commands.put("EXISTS", new DataCommand(1, DataCommand.ALL, DataCommand.ALL, Kind.READ,
				(keys, arguments) -> count(arguments, keys::exists)));
		commands.put("TYPE", new DataCommand(1, 1, 1, Kind.READ, (keys, arguments) -> {
			Value value = keys.get(arguments[0]);
			return new RedisStatus((value != null) ? value.type() : "none");
		}));
		commands.put("PEXPIRE", new DataCommand(2, 3, 1, Kind.WRITE, (keys, arguments) -> expire(keys, arguments, 1)));
		commands.put("EXPIRE",
				new DataCommand(2, 3, 1, Kind.WRITE, (keys, arguments) -> expire(keys, arguments, 1000)));
		commands.put("PERSIST", new DataCommand(1, 1, 1, Kind.WRITE, (keys, arguments) -> {
			boolean expires = keys.expiresMillis(arguments[0]) != KeySpace.FOREVER;
			keys.expire(arguments[0], KeySpace.FOREVER);
			return expires ? 1L : 0L;
		}));
		commands.put("PTTL", new DataCommand(1, 1, 1, Kind.READ, (keys, arguments) -> pttl(keys, arguments[0])));
		commands.put("TTL", new DataCommand(1, 1, 1, Kind.READ, (keys, arguments) -> {
			long millis = pttl(keys, arguments[0]);
			return (millis < 0) ? millis : (millis + 500) / 1000;
		}));
	}

	private static long count(String[] keys, Predicate<String> condition) {
		long count = 0;
		for (String key : keys) {
			count += condition.test(key) ? 1 : 0;
		}
		return count;
	}

	private static List<@Nullable String> mget(KeySpace keys, String[] arguments) {
		List<@Nullable String> values = new ArrayList<>();
		for (String key : arguments) {
			values.add((keys.get(key) instanceof Value.Text text) ? text.text() : null);
		}
		return values;
	}

	private static @Nullable Object set(KeySpace keys, String[] arguments) {
		String key = arguments[0];
		boolean ifAbsent = false;
		boolean ifPresent = false;
		boolean keepsExpiry = false;
		boolean returnsOld = false;
		long expires = KeySpace.FOREVER;
		for (int i = 2; i < arguments.length; i++) {
			switch (arguments[i].toUpperCase(Locale.ROOT)) {
				case "NX" -> ifAbsent = true;
				case "XX" -> ifPresent = true;
				case "KEEPTTL" -> keepsExpiry = true;
				case "GET" -> returnsOld = true;
				case "PX" -> expires = keys.nowMillis() + life(arguments, ++i);
				case "EX" -> expires = keys.nowMillis() + 1000 * life(arguments, ++i);
				default -> throw CommandException.syntax();
			}
		}
		if ((ifAbsent && ifPresent) || (keepsExpiry && expires != KeySpace.FOREVER)) {
			throw CommandException.syntax();
		}
		String old = returnsOld ? keys.text(key) : null;
		boolean exists = keys.exists(key);
		boolean sets = !(ifAbsent && exists) && !(ifPresent && !exists);
		if (sets) {
			keys.put(key, new Value.Text(arguments[1]), keepsExpiry ? keys.expiresMillis(key) : expires);
		}
		return returnsOld ? old : sets ? RedisStatus.OK : null;
	}

	private static long life(String[] arguments, int index) {
		if (index >= arguments.length) {
			throw CommandException.syntax();
		}
		long life = Numbers.integer(arguments[index]);
		if (life <= 0) {
			throw new CommandException("ERR invalid expire time in 'set' command");
		}
		return life;
	}

	private static long expire(KeySpace keys, String[] arguments, long millis) {
		String key = arguments[0];
		long expires = keys.nowMillis() + Numbers.integer(arguments[1]) * millis;
		String condition = (arguments.length == 3) ? arguments[2].toUpperCase(Locale.ROOT) : "";
		if (!keys.exists(key)) {
			return 0;
		}
		long present = keys.expiresMillis(key);
		boolean sets = switch (condition) {
			case "" -> true;
			case "NX" -> present == KeySpace.FOREVER;
			case "XX" -> present != KeySpace.FOREVER;
			case "GT" -> present != KeySpace.FOREVER && expires > present;
			case "LT" -> present == KeySpace.FOREVER || expires < present;
			default -> throw new CommandException("ERR Unsupported option " + arguments[2]);
		};
		if (sets) {
			keys.expire(key, expires);
		}
		return sets ? 1 : 0;
	}

	private static long pttl(KeySpace keys, String key) {
		if (!keys.exists(key)) {
			return NO_SUCH_KEY;
		}
		long expires = keys.expiresMillis(key);
		return (expires == KeySpace.FOREVER) ? KeySpace.FOREVER : expires - keys.nowMillis();
	}

}
