package io.github.lockboot.sample.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.util.FileSystemUtils;
import redis.embedded.RedisExecProvider;

/**
 * The Redis that this instance has started. The server writes each command to a file
 * before it replies: its locks survive when it is killed and restarted.
 */
public final class RedisServer {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final int port;

	private final Path folder;

	private volatile Process process;

	private volatile boolean closed;

	RedisServer(int port) {
		this.port = port;
		try {
			this.folder = Files.createTempDirectory("lockboot-sample-redis");
			this.process = launch();
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new IllegalStateException(
					"No Redis could be started on this machine; start one and set spring.data.redis.host", ex);
		}
	}

	private Process launch() throws IOException {
		Path executable = RedisExecProvider.defaultProvider().get().toPath();
		return new ProcessBuilder(executable.toString(), "--port", String.valueOf(this.port), "--bind", "127.0.0.1",
				"--save", "", "--appendonly", "yes", "--dir", this.folder.toString())
			.redirectOutput(Redirect.DISCARD)
			.redirectErrorStream(true)
			.start();
	}

	/**
	 * Wait until a Redis answers.
	 * @return whether this server answers; otherwise another instance has started one at
	 * the same time
	 */
	boolean awaitAnswer() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < PATIENCE.toNanos()) {
			OptionalLong pid = RedisProcess.answeringOn(this.port);
			if (pid.isPresent()) {
				return pid.getAsLong() == this.process.pid();
			}
			LockSupport.parkNanos(20_000_000);
		}
		throw new IllegalStateException("No Redis answers on port " + this.port + " after " + PATIENCE.toSeconds()
				+ " s; is the port used by another program? Set sample.redis.port or spring.data.redis.host");
	}

	/** Kill the server by signal 9 and start it again after a time. */
	public void kill(Duration outage) {
		this.process.destroyForcibly();
		later(outage).execute(this::restart);
	}

	private synchronized void restart() {
		if (this.closed || this.process.isAlive()) {
			return;
		}
		try {
			this.process = launch();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Stop the server by a signal, and let it continue after a time. */
	public void freeze(Duration duration) {
		signal("-STOP");
		later(duration).execute(() -> signal("-CONT"));
	}

	private void signal(String signal) {
		try {
			new ProcessBuilder("kill", signal, String.valueOf(this.process.pid())).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Close the connections of all clients.
	 */
	public void cutConnections() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", this.port), 1000);
			socket.setSoTimeout(1000);
			socket.getOutputStream()
				.write("CLIENT KILL TYPE normal\r\nCLIENT KILL TYPE pubsub\r\nQUIT\r\n"
					.getBytes(StandardCharsets.US_ASCII));
			socket.getInputStream().readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void close() {
		this.closed = true;
		signal("-CONT");
		this.process.destroy();
		this.process.onExit().completeOnTimeout(this.process, 2, TimeUnit.SECONDS).join();
		FileSystemUtils.deleteRecursively(this.folder.toFile());
	}

	private static Executor later(Duration delay) {
		return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
	}

}
