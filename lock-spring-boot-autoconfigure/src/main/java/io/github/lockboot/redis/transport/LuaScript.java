package io.github.lockboot.redis.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.github.lockboot.Internal;

/**
 * A Lua script: its text, and the SHA-1 under which Redis knows it. Read once.
 *
 * @param text the text
 * @param sha1 digest of the text, in hexadecimal
 * @since 1.0.0
 */
@Internal
public record LuaScript(String text, String sha1) {

	/**
	 * Read a script from a file beside a class.
	 * @param owner the class
	 * @param file name of the file
	 * @return the script
	 */
	public static LuaScript read(Class<?> owner, String file) {
		try (InputStream stream = owner.getResourceAsStream(file)) {
			if (stream == null) {
				throw new IllegalStateException("Script '" + file + "' is missing beside " + owner.getName());
			}
			byte[] text = stream.readAllBytes();
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
			return new LuaScript(new String(text, StandardCharsets.UTF_8), HexFormat.of().formatHex(digest));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script '" + file + "' can't be read", ex);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

}
