package io.github.lockboot.redis.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.github.lockboot.Internal;

/**
 * A Lua script: its text, and the SHA-1 digest that identifies it in Redis.
 *
 * @param text the text
 * @param sha1 digest of the text, in hexadecimal
 * @since 1.0.0
 */
@Internal
public record LuaScript(String text, String sha1) {

	/** Read a script that consists of several files beside a class, in this order. */
	public static LuaScript read(Class<?> owner, String... files) {
		StringBuilder text = new StringBuilder();
		for (String file : files) {
			text.append(readFile(owner, file));
		}
		try {
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.toString().getBytes(StandardCharsets.UTF_8));
			return new LuaScript(text.toString(), HexFormat.of().formatHex(digest));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

	private static String readFile(Class<?> owner, String file) {
		try (InputStream stream = owner.getResourceAsStream(file)) {
			if (stream == null) {
				throw new IllegalStateException("Script '" + file + "' is missing beside " + owner.getName());
			}
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script '" + file + "' can't be read", ex);
		}
	}

}
