package io.github.lockboot.simulation.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A connection to a real server, with replies as those of the simulated one.
 */
final class RealRedis implements Closeable {

	private final Socket socket;

	private final InputStream in;

	RealRedis(String host, int port) throws IOException {
		this.socket = new Socket(host, port);
		this.socket.setSoTimeout(20_000);
		this.in = new BufferedInputStream(this.socket.getInputStream());
	}

	@Nullable Object execute(List<String> words) {
		try {
			ByteArrayOutputStream out = new ByteArrayOutputStream();
			out.write(("*" + words.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
			for (String word : words) {
				byte[] bytes = word.getBytes(StandardCharsets.ISO_8859_1);
				out.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
				out.write(bytes);
				out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
			}
			this.socket.getOutputStream().write(out.toByteArray());
			return read();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
