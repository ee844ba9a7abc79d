package io.github.lockboot.redis.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.lockboot.fixture.RedisServer;

/**
 * A way to a server on which connections can go dead without being closed, as when a host
 * dies or a firewall forgets them.
 */
final class Cable implements AutoCloseable {

	private final RedisServer server;

	private final ServerSocket entrance;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private volatile AtomicBoolean dead = new AtomicBoolean();

	Cable(RedisServer server) throws IOException {
		this.server = server;
		this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	int port() {
		return this.entrance.getLocalPort();
	}

	/** All that comes over present connections is swallowed from now on. */
	void cutPresentConnections() {
		this.dead.set(true);
		this.dead = new AtomicBoolean();
	}

	@Override
	public void close() throws IOException {
		this.entrance.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.entrance.accept();
			Socket redis = new Socket(this.server.host(), this.server.port());
			this.sockets.add(client);
			this.sockets.add(redis);
			AtomicBoolean cut = this.dead;
			start(() -> carry(client, redis, cut));
			start(() -> carry(redis, client, cut));
		}
	}

	private static void carry(Socket from, Socket to, AtomicBoolean cut) throws IOException {
		byte[] buffer = new byte[8192];
		for (int read = from.getInputStream().read(buffer); read >= 0; read = from.getInputStream().read(buffer)) {
			if (!cut.get()) {
				to.getOutputStream().write(buffer, 0, read);
			}
		}
	}

	private static void start(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException ex) {
				// closed
			}
		}, "cable");
		thread.setDaemon(true);
		thread.start();
	}

	private interface Work {

		void run() throws IOException;

	}

}
