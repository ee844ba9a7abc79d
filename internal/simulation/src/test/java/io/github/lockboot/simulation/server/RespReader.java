package io.github.lockboot.simulation.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Reads what Redis returns, as the simulated server returns it.
 */
final class RespReader {

	private final InputStream in;

	RespReader(InputStream in) {
		this.in = in;
	}

	/** Reads a reply, or a message to a subscriber. */
	@Nullable Object read() throws IOException {
		String line = line();
		String rest = line.substring(1);
		switch (line.charAt(0)) {
			case '+':
				return new RedisStatus(rest);
			case '-':
				return new RedisError(rest);
			case ':':
				return Long.parseLong(rest);
			case '$':
				int length = Integer.parseInt(rest);
				if (length < 0) {
					return null;
				}
				String text = new String(this.in.readNBytes(length), StandardCharsets.ISO_8859_1);
				line();
				return text;
			default:
				List<@Nullable Object> elements = new ArrayList<>();
				for (int i = 0; i < Integer.parseInt(rest); i++) {
					elements.add(read());
				}
				return elements;
		}
	}

	private String line() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
			if (next < 0) {
				throw new IOException("The server has closed the connection");
			}
			line.append((char) next);
		}
		return line.substring(0, line.length() - 1);
	}

}
