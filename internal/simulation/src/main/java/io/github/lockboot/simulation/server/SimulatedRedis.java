package io.github.lockboot.simulation.server;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.connection.LuaScript;

/**
 * A Redis inside this thread: the keys, channels and scripts of one server, without a
 * network. It runs real Lua over the commands that the library and its tests use; any
 * other command is an {@link UnsupportedOperationException}. The same calls at the same
 * times lead to the same replies. Not thread-safe.
 */
public final class SimulatedRedis {

	private static final RedisError NO_SCRIPT = new RedisError("NOSCRIPT No matching script. Please use EVAL.");

	private final LuaMachine lua;

	private final Version version;

	private final LongSupplier clock;

	private final KeySpace keys = new KeySpace();

	private final Channels channels;

	private final Map<Integer, Rights> connections = new TreeMap<>();

	/** Digests of the scripts that the server knows. */
	private final Set<String> scripts = new TreeSet<>();

	private final Map<String, String> configuration = new TreeMap<>(
			Map.of("maxmemory-policy", "noeviction", "maxmemory", "0"));

	/** How often each command was called, by its name in upper case. */
	private final Map<String, long[]> counts = new HashMap<>();

	private int lastConnection;

	private boolean readOnly;

	private long replicas;

	/**
	 * Create an empty server.
	 * @param lua runs its scripts; other servers may share it
	 * @param clock the time in microseconds since 1970; a command and a script see one
	 * time from begin to end
	 * @param listener gets the messages, while the command that publishes them runs
	 */
	public SimulatedRedis(LuaMachine lua, Version version, LongSupplier clock, Listener listener) {
		this.lua = lua;
		this.version = version;
		this.clock = clock;
		this.channels = new Channels(listener);
	}

	/** The versions whose dialects differ. */
	public enum Version {

		/** Redis 6.2. */
		SIX,

		/** Redis 7.0. */
		SEVEN

	}

	// ---- connections

	/**
	 * Open a connection.
	 * @return its number, which no other connection of this server gets
	 */
	public int connect(Rights rights) {
		this.connections.put(++this.lastConnection, rights);
		return this.lastConnection;
	}

	/** Close a connection, with its subscriptions. */
	public void disconnect(int connection) {
		this.connections.remove(connection);
		this.channels.remove(connection);
	}

	// ---- commands

	/**
	 * Run a command.
	 * @param connection the number of an open connection
	 * @param arguments each character is a byte
	 * @return a {@code String}, {@code Long}, {@link RedisStatus}, {@link RedisError}, a
	 * {@code List} of such, or {@code null}
	 */
	public @Nullable Object execute(int connection, String command, String... arguments) {
		Rights rights = this.connections.get(connection);
		if (rights == null) {
			throw new IllegalArgumentException("Connection " + connection + " is not open");
		}
		this.keys.setNowMicros(this.clock.getAsLong());
		String name = command.toUpperCase(Locale.ROOT);
		String refusal = Access.refusal(rights, name, arguments);
		if (refusal != null) {
			return new RedisError("NOPERM " + Access.explained(refusal, name));
		}
		count(name);
		try {
			return run(connection, rights, name, arguments);
		}
		catch (CommandException ex) {
			return ex.reply();
		}
	}

	private @Nullable Object run(int connection, Rights rights, String name, String[] arguments) {
		return switch (name) {
			case "EVAL" -> (load(arguments[0]) instanceof RedisError error) ? error
					: run(rights, this.lua.digest(arguments[0]), arguments);
			case "EVALSHA" -> this.scripts.contains(arguments[0]) ? run(rights, arguments[0], arguments) : NO_SCRIPT;
			case "SCRIPT" -> script(arguments);
			case "SUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "SUNSUBSCRIBE" ->
				this.channels.change(connection, name, arguments);
			case "INFO" -> info();
			case "CONFIG" -> configure(arguments);
			case "ACL" -> Access.acl(rights, arguments);
			case "WAIT" -> this.replicas;
			case "DBSIZE" -> (long) this.keys.keys().size();
			case "FLUSHALL" -> {
				this.keys.clear();
				yield RedisStatus.OK;
			}
			case "KEYS" -> this.keys.keys()
				.stream()
				.filter((key) -> key.matches(("\\Q" + arguments[0] + "\\E").replace("*", "\\E.*\\Q")))
				.toList();
			default -> runPlain(name, arguments, false);
		};
	}

	/** Runs a command that a script may call, too. */
	@Nullable Object runPlain(String name, String[] arguments, boolean mayGrow) {
		DataCommand command = DataCommands.ALL.get(name);
		if (command == null) {
			return switch (name) {
				case "TIME" -> List.of(Long.toString(this.keys.nowMicros() / 1_000_000),
						Long.toString(this.keys.nowMicros() % 1_000_000));
				case "PUBLISH" -> this.channels.publish("message", arguments[0], arguments[1]);
				case "SPUBLISH" -> this.channels.publish("smessage", arguments[0], arguments[1]);
				case "PING" -> new RedisStatus("PONG");
				default -> throw new UnsupportedOperationException("Not simulated: " + name);
			};
		}
		if (!command.accepts(arguments.length)) {
			throw new CommandException(
					"ERR wrong number of arguments for '" + name.toLowerCase(Locale.ROOT) + "' command");
		}
		if (command.kind() != DataCommand.Kind.READ && this.readOnly) {
			throw new CommandException("READONLY You can't write against a read only replica.");
		}
		if (command.kind() == DataCommand.Kind.GROW && isOutOfMemory() && !mayGrow) {
			throw new CommandException("OOM command not allowed when used memory > 'maxmemory'.");
		}
		return command.action().run(this.keys, arguments);
	}

	void count(String name) {
		this.counts.computeIfAbsent(name, (absent) -> new long[1])[0]++;
	}

	private boolean isOutOfMemory() {
		String limit = Objects.requireNonNull(this.configuration.get("maxmemory"));
		return !limit.equals("0") && Long.parseLong(limit) < 1024;
	}

	// ---- scripts

	private Object load(String text) {
		String sha1 = this.lua.digest(text);
		RedisError error = this.lua.compile(sha1, text);
		if (error != null) {
			return error;
		}
		this.scripts.add(sha1);
		return sha1;
	}

	/** Know a script that no client has loaded. */
	public void know(LuaScript script) {
		this.lua.compile(script.sha1(), script.text());
		this.scripts.add(script.sha1());
	}

	private @Nullable Object run(Rights rights, String sha1, String[] arguments) {
		int keys = (int) Numbers.integer(arguments[1]);
		return this.lua.run(new ScriptCalls(this, rights, this.version == Version.SEVEN), sha1,
				Arrays.copyOfRange(arguments, 2, 2 + keys), Arrays.copyOfRange(arguments, 2 + keys, arguments.length));
	}

	private @Nullable Object script(String[] arguments) {
		switch (arguments[0].toUpperCase(Locale.ROOT)) {
			case "LOAD":
				return load(arguments[1]);
			case "FLUSH":
				this.scripts.clear();
				return RedisStatus.OK;
			case "EXISTS":
				return Stream.of(arguments).skip(1).map((sha1) -> this.scripts.contains(sha1) ? 1L : 0L).toList();
			default:
				throw new UnsupportedOperationException("Not simulated: SCRIPT " + arguments[0]);
		}
	}

	// ---- administration

	private String info() {
		StringBuilder info = new StringBuilder("# Server\r\nredis_version:")
			.append((this.version == Version.SEVEN) ? "7.0.15" : "6.2.11")
			.append("\r\nredis_mode:standalone\r\nrun_id:")
			.append("0".repeat(40))
			.append("\r\nrole:master\r\n");
		new TreeMap<>(this.counts).forEach((name, count) -> info.append("cmdstat_")
			.append(name.toLowerCase(Locale.ROOT))
			.append(":calls=")
			.append(count[0])
			.append(",usec=0\r\n"));
		return info.toString();
	}

	private Object configure(String[] arguments) {
		switch (arguments[0].toUpperCase(Locale.ROOT)) {
			case "GET":
				String value = this.configuration.get(arguments[1]);
				return (value != null) ? List.of(arguments[1], value) : List.of();
			case "SET":
				this.configuration.put(arguments[1], arguments[2]);
				return RedisStatus.OK;
			default:
				throw new UnsupportedOperationException("Not simulated: CONFIG " + arguments[0]);
		}
	}

	/** Refuse all writes, as a replica does. */
	public void setReadOnly(boolean readOnly) {
		this.readOnly = readOnly;
	}

	/** Refuse writes that need memory. */
	public void setOutOfMemory(boolean outOfMemory) {
		this.configuration.put("maxmemory", outOfMemory ? "1" : "0");
	}

	/** Set how many replicas confirm a {@code WAIT}. */
	public void setReplicas(long replicas) {
		this.replicas = replicas;
	}

	// ---- keys

	/** Return the text of a key, {@code null} if there is none. */
	public @Nullable String value(String key) {
		return (String) read("GET", key);
	}

	/** Run a command that only reads, which nothing counts. */
	public @Nullable Object read(String command, String... arguments) {
		this.keys.setNowMicros(this.clock.getAsLong());
		return runPlain(command, arguments, false);
	}

	/** Remove a key, as an eviction does. */
	public void evict(String key) {
		this.keys.remove(key);
	}

	/** Return the keys as they are now; later commands do not change them. */
	public Snapshot snapshot() {
		return new Snapshot(this.keys.copy());
	}

	/** Put the keys of a snapshot, of this or another server, in place of all others. */
	public void restore(Snapshot snapshot) {
		this.keys.replace(snapshot.entries());
	}

	/**
	 * Return all keys as text, equal for equal keys: a line for each key by its name,
	 * with its type, value, and the rest of its life in milliseconds if it expires.
	 */
	public String dump() {
		this.keys.setNowMicros(this.clock.getAsLong());
		return this.keys.dump();
	}

	/** The keys of a server at one time. */
	public static final class Snapshot {

		/** No keys. */
		public static final Snapshot EMPTY = new Snapshot(Map.of());

		private final Map<String, KeySpace.Entry> entries;

		private Snapshot(Map<String, KeySpace.Entry> entries) {
			this.entries = entries;
		}

		Map<String, KeySpace.Entry> entries() {
			return this.entries;
		}

	}

}
