package io.github.lockboot.redis.connection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

import io.github.lockboot.Internal;

/**
 * A Lua script: its text, and the SHA-1 digest that identifies it in Redis.
 *
 * @since 1.0.0
 */
@Internal
public record LuaScript(String text, String sha1) {

	/** Read a script that consists of several files beside a class, in this order. */
	public static LuaScript read(Class<?> owner, String... files) {
		StringBuilder text = new StringBuilder();
		for (String file : files) {
			try {
				text.append(new ClassPathResource(file, owner).getContentAsString(StandardCharsets.UTF_8));
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Script '" + file + "' can't be read", ex);
			}
		}
		return new LuaScript(text.toString(), DigestUtils.sha1DigestAsHex(text.toString()));
	}

}
