package io.github.lockboot.simulation.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A connection to a real server, with replies as those of the simulated one.
 */
final class RealRedis implements Closeable {

	private final Socket socket;

	private final RespReader reader;

	RealRedis(String host, int port) throws IOException {
		this.socket = new Socket(host, port);
		this.socket.setSoTimeout(20_000);
		this.reader = new RespReader(new BufferedInputStream(this.socket.getInputStream()));
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
		return this.reader.read();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
