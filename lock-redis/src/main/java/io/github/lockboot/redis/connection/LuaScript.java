package io.github.lockboot.redis.connection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

import io.github.lockboot.Internal;

/**
 * A Lua script: its text, and the SHA-1 digest that identifies it in Redis.
 */
@Internal
public record LuaScript(String text, String sha1) {

	private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*-- include (\\S+)$");

	LuaScript(String text) {
		this(text, DigestUtils.sha1DigestAsHex(text));
	}

	/**
	 * Read a script that consists of several files in the package of a class, in this
	 * order. The line {@code -- include <file>} is replaced by another file.
	 */
	public static LuaScript read(Class<?> owner, String... files) {
		StringBuilder text = new StringBuilder();
		for (String file : files) {
			text.append(text(owner, file));
		}
		return new LuaScript(text.toString());
	}

	private static String text(Class<?> owner, String file) {
		try {
			String text = new ClassPathResource(file, owner).getContentAsString(StandardCharsets.UTF_8);
			// the pattern is slow in a JVM that has just started
			return !text.contains("-- include ") ? text : INCLUDE.matcher(text)
				.replaceAll((include) -> Matcher.quoteReplacement(text(owner, include.group(1))));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script '" + file + "' can't be read", ex);
		}
	}

	/**
	 * A script of which several calls may be sent as one call of another script, the
	 * batch. The keys of the batch are the first keys of each call. Its arguments are a
	 * text with a letter for each call, and then the first arguments of each call. The
	 * batch replies with the reply of the script of each call, or null for a call that
	 * the batch has not executed.
	 *
	 * @param letter identifies the script in the batch
	 * @param keys how many keys of a call the batch needs
	 * @param arguments how many arguments of a call the batch needs
	 */
	public record Batched(LuaScript script, LuaScript batch, char letter, int keys, int arguments) {

	}

}
