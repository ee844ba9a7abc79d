package io.github.lockboot.redis.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.lockboot.fixture.RedisServer;

/**
 * A proxy of a server that can make connections dead without closing them, like a host
 * that crashes or a firewall that drops them. It can switch to another server later.
 */
public final class DisconnectableProxy implements AutoCloseable {

	private volatile RedisServer server;

	private final ServerSocket listening;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private volatile AtomicBoolean dead = new AtomicBoolean();

	/**
	 * Create a proxy.
	 * @param server the server to connect to
	 * @throws IOException if there is no free port
	 */
	public DisconnectableProxy(RedisServer server) throws IOException {
		this.server = server;
		this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	public int port() {
		return this.listening.getLocalPort();
	}

	/** Discards everything that existing connections receive from now on. */
	void cutPresentConnections() {
		this.dead.set(true);
		this.dead = new AtomicBoolean();
	}

	/**
	 * Directs new connections to another server; existing ones stay.
	 * @param server the server
	 */
	public void leadTo(RedisServer server) {
		this.server = server;
	}

	@Override
	public void close() throws IOException {
		this.listening.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listening.accept();
			RedisServer leadsTo = this.server;
			Socket redis = new Socket(leadsTo.host(), leadsTo.port());
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
		if (!cut.get()) {
			to.close();
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
