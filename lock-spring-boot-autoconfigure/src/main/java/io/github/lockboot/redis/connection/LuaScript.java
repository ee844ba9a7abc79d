package io.github.lockboot.redis.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.script.DigestUtils;

import io.github.lockboot.Internal;

/**
 * A Lua script: its text, and the SHA-1 digest that identifies it in Redis. The digest is
 * computed at its first use, since few scripts are used while an application starts.
 * Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class LuaScript {

	private static final String INCLUDE = "-- include ";

	private final String text;

	private volatile @Nullable String sha1;

	LuaScript(String text) {
		this.text = text;
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
		String text;
		try (InputStream content = owner.getResourceAsStream(file)) {
			if (content == null) {
				throw new IllegalArgumentException("There is no script '" + file + "' beside " + owner);
			}
			text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script '" + file + "' can't be read", ex);
		}
		int include = text.indexOf(INCLUDE);
		while (include >= 0) {
			int end = text.indexOf('\n', include);
			text = text.substring(0, include) + text(owner, text.substring(include + INCLUDE.length(), end))
					+ text.substring(end);
			include = text.indexOf(INCLUDE, include);
		}
		return text;
	}

	public String text() {
		return this.text;
	}

	String sha1() {
		String known = this.sha1;
		if (known == null) {
			known = DigestUtils.sha1DigestAsHex(this.text);
			this.sha1 = known;
		}
		return known;
	}

	/**
	 * A script of which several calls may be sent as one call of another script, the
	 * batch. The batch gets the first keys of each call; as arguments a letter for each
	 * call, in one text, then the first arguments of each call. It replies what the
	 * script of each call would, or null for a call that it has not carried out.
	 *
	 * @param letter stands for the script in the batch
	 * @param keys how many keys of a call the batch needs
	 * @param arguments how many arguments of a call the batch needs
	 */
	public record Batched(LuaScript script, LuaScript batch, char letter, int keys, int arguments) {

	}

}
