package io.github.lockboot.sample.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Finds out whether a Redis listens on a port.
 */
final class RedisProcess {

	private static final int TIMEOUT_MILLIS = 1000;

	private static final String PID = "process_id:";

	private RedisProcess() {
	}

	/**
	 * Return the process id of the Redis on a local port.
	 * @return the process id, or empty if nothing, or no Redis, answers there
	 */
	static OptionalLong answeringOn(int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS);
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write("INFO server\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
			return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).lines()
				.filter((line) -> line.startsWith(PID))
				.mapToLong((line) -> Long.parseLong(line.substring(PID.length())))
				.findFirst();
		}
		catch (IOException | UncheckedIOException ex) {
			return OptionalLong.empty();
		}
	}

}
