package io.github.lockboot.simulation.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.fixture.RespConnection;

/**
 * A connection to a real server, with replies as those of the simulated one.
 */
final class RealRedis extends RespConnection {

	RealRedis(String host, int port) throws IOException {
		super(connect(host, port));
	}

	private static Socket connect(String host, int port) throws IOException {
		Socket socket = new Socket(host, port);
		socket.setSoTimeout(20_000);
		return socket;
	}

	@Nullable Object execute(List<String> words) {
		try {
			return command(words.toArray(String[]::new));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	protected Object status(String text) {
		return new RedisStatus(text);
	}

	@Override
	protected Object error(String text) {
		return new RedisError(text);
	}

}
