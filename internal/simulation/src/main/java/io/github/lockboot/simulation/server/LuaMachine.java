package io.github.lockboot.simulation.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import party.iroiro.luajava.LuaNatives;
import party.iroiro.luajava.lua51.Lua51;

/**
 * A machine for Lua 5.1 with the functions that Redis gives to scripts. It compiles each
 * script once, and keeps nothing else between two runs, so that several servers may share
 * it, one after the other. A text is a Java string with one character for each byte.
 */
public final class LuaMachine implements AutoCloseable {

	private static final int NIL = 0;

	private static final int BOOLEAN = 1;

	private static final int NUMBER = 3;

	private static final int STRING = 4;

	private static final int TABLE = 5;

	private final Lua51 lua = new Lua51();

	private final LuaNatives natives = this.lua.getLuaNatives();

	private final long state = this.lua.getPointer();

	private final UnaryOperator<String> replacement;

	private final Set<String> compiled = new HashSet<>();

	/** By the texts, which each connection sends again. */
	private final Map<String, String> digests = new HashMap<>();

	private @Nullable Host host;

	private @Nullable RuntimeException failure;

	/** Create a machine that runs the scripts as they are. */
	public LuaMachine() {
		this(UnaryOperator.identity());
	}

	/**
	 * Create a machine.
	 * @param replacement returns the text that runs in place of a script's
	 */
	public LuaMachine(UnaryOperator<String> replacement) {
		this.replacement = replacement;
		this.lua.openLibraries();
		this.lua.push((lua) -> call());
		this.lua.setGlobal("host");
		byte[] prelude = prelude();
		this.lua.run(ByteBuffer.allocateDirect(prelude.length).put(prelude).flip(), "=prelude");
	}

	private static byte[] prelude() {
		try (InputStream in = Objects.requireNonNull(LuaMachine.class.getResourceAsStream("prelude.lua"))) {
			return in.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Return the digest that identifies a script. */
	String digest(String text) {
		return this.digests.computeIfAbsent(text, Digest::sha1);
	}

	/** Compiles a script unless it is compiled; returns an error of its text. */
	@Nullable RedisError compile(String sha1, String text) {
		if (!this.compiled.contains(sha1)) {
			this.lua.getGlobal("compile");
			push(sha1);
			push(this.replacement.apply(text));
			this.lua.pCall(2, 1);
			Object error = pop();
			if (error != null) {
				return new RedisError("ERR Error compiling script (new function): " + error);
			}
			this.compiled.add(sha1);
		}
		return null;
	}

	/** Runs a script that is compiled. */
	@Nullable Object run(Host host, String sha1, String[] keys, String[] arguments) {
		this.host = host;
		this.failure = null;
		this.lua.getGlobal("run");
		this.natives.lua_checkstack(this.state, keys.length + arguments.length + 20);
		push(sha1);
		this.natives.lua_pushinteger(this.state, host.version());
		pushList(keys);
		pushList(arguments);
		this.lua.pCall(4, 1);
		Object reply = pop();
		RuntimeException failure = this.failure;
		if (failure != null) {
			throw failure;
		}
		return reply;
	}

	/** A script calls a command. */
	private int call() {
		int words = this.natives.lua_gettop(this.state);
		try {
			push(command(words));
		}
		catch (CommandException ex) {
			push(ex.reply());
		}
		catch (RuntimeException ex) {
			// not an error that a script may handle
			this.failure = ex;
			push(new RedisError("ERR " + ex));
		}
		return 1;
	}

	private @Nullable Object command(int words) {
		if (words == 0) {
			throw new CommandException("ERR Please specify at least one argument for this redis.call() call");
		}
		String command = argument(1);
		String[] arguments = new String[words - 1];
		for (int i = 2; i <= words; i++) {
			arguments[i - 2] = argument(i);
		}
		return Objects.requireNonNull(this.host).call(command, arguments);
	}

	private String argument(int index) {
		return switch (this.natives.lua_type(this.state, index)) {
			case NUMBER -> Numbers.print(this.natives.lua_tonumber(this.state, index));
			case STRING -> string(index);
			default -> throw new CommandException("ERR Lua redis lib command arguments must be strings or integers");
		};
	}

	private String string(int index) {
		String text = this.natives.lua_tostring(this.state, index);
		int length = this.natives.luaJ_len(this.state, index);
		if (text.length() == length && isPlain(text, 0)) {
			return text;
		}
		ByteBuffer bytes = (ByteBuffer) this.natives.luaJ_tobuffer(this.state, index);
		byte[] copy = new byte[bytes.remaining()];
		bytes.get(copy);
		return new String(copy, StandardCharsets.ISO_8859_1);
	}

	private void pushList(List<?> elements) {
		this.natives.lua_createtable(this.state, elements.size(), 0);
		for (int i = 0; i < elements.size(); i++) {
			push(elements.get(i));
			this.natives.lua_rawseti(this.state, -2, i + 1);
		}
	}

	private void pushList(String[] elements) {
		this.natives.lua_createtable(this.state, elements.length, 0);
		for (int i = 0; i < elements.length; i++) {
			push(elements[i]);
			this.natives.lua_rawseti(this.state, -2, i + 1);
		}
	}

	/** Pushes a reply as scripts get it. */
	private void push(@Nullable Object reply) {
		if (reply == null) {
			this.natives.lua_pushboolean(this.state, 0);
		}
		else if (reply instanceof Long number) {
			this.natives.lua_pushnumber(this.state, number);
		}
		else if (reply instanceof String text) {
			push(text);
		}
		else if (reply instanceof List<?> list) {
			this.natives.lua_checkstack(this.state, 10);
			pushList(list);
		}
		else if (reply instanceof RedisStatus status) {
			pushTable("ok", status.text());
		}
		else if (reply instanceof RedisError error) {
			pushTable("err", error.text());
		}
		else {
			throw new IllegalArgumentException("Not a reply: " + reply);
		}
	}

	private void pushTable(String field, String text) {
		this.natives.lua_createtable(this.state, 0, 1);
		push(text);
		this.natives.lua_setfield(this.state, -2, field);
	}

	private void push(String text) {
		if (isPlain(text, 1)) {
			this.natives.luaJ_pushstring(this.state, text);
			return;
		}
		// the machine takes bytes only as part of a program
		String hex = HexFormat.of().formatHex(text.getBytes(StandardCharsets.ISO_8859_1));
		this.lua.getGlobal("bytes");
		this.natives.luaJ_pushstring(this.state, hex);
		this.lua.pCall(1, 1);
	}

	/** Return whether all characters are of ASCII, from the least on. */
	private static boolean isPlain(String text, int least) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < least || text.charAt(i) >= 0x80) {
				return false;
			}
		}
		return true;
	}

	private @Nullable Object pop() {
		Object reply = reply(-1);
		this.natives.lua_settop(this.state, -2);
		return reply;
	}

	/** Converts what a script returns. */
	private @Nullable Object reply(int index) {
		return switch (this.natives.lua_type(this.state, index)) {
			case NUMBER -> (long) this.natives.lua_tonumber(this.state, index);
			case STRING -> string(index);
			case BOOLEAN -> (this.natives.lua_toboolean(this.state, index) != 0) ? 1L : null;
			case TABLE -> table(this.natives.lua_gettop(this.state));
			default -> null;
		};
	}

	private @Nullable Object table(int index) {
		this.natives.lua_checkstack(this.state, 10);
		String error = field(index, "err");
		if (error != null) {
			return new RedisError(error);
		}
		String status = field(index, "ok");
		if (status != null) {
			return new RedisStatus(status);
		}
		List<@Nullable Object> elements = new ArrayList<>();
		for (int i = 1;; i++) {
			this.natives.luaJ_rawgeti(this.state, index, i);
			boolean ends = this.natives.lua_type(this.state, -1) == NIL;
			Object element = pop();
			if (ends) {
				return elements;
			}
			elements.add(element);
		}
	}

	private @Nullable String field(int index, String name) {
		this.natives.luaJ_getfield(this.state, index, name);
		String text = (this.natives.lua_type(this.state, -1) == STRING) ? string(-1) : null;
		this.natives.lua_settop(this.state, -2);
		return text;
	}

	@Override
	public void close() {
		this.lua.close();
	}

	/** The server for which a script runs. */
	interface Host {

		/** Runs a command of a script. */
		@Nullable Object call(String command, String[] arguments);

		/** The version of Redis, or 0 if scripts do not see it. */
		int version();

	}

}
