package io.github.lockboot.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.function.BooleanSupplier;

import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;

/**
 * A ZooKeeper client that can close its connection and leave its session to expire, so
 * that the locks of this JVM are not free at once, and that leaves a server that does not
 * reply early enough for the other servers.
 */
@SuppressWarnings("try") // a close may be interrupted
final class SessionClient extends ZooKeeper {

	private final BooleanSupplier leavesSession;

	SessionClient(String connectString, int timeoutMillis, Watcher watcher, ZKClientConfig config, int connectionMillis,
			BooleanSupplier leavesSession) throws IOException {
		super(connectString, timeoutMillis, watcher, false, new Servers(connectString, timeoutMillis, connectionMillis),
				config);
		this.leavesSession = leavesSession;
	}

	@Nullable SocketAddress server() {
		return testableRemoteSocketAddress();
	}

	long lastTransaction() {
		return this.cnxn.getLastZxid();
	}

	/**
	 * Leave a silent server, so that the session continues on the next server. The client
	 * itself would leave a server only after two thirds of the session timeout, when all
	 * leases are over.
	 */
	void leaveServer() {
		new DaemonThreads("lock-zookeeper").execute(() -> { // Netty's socket blocks
			try {
				getTestable().closeSocket();
			}
			catch (IOException ex) {
				// closed already
			}
			sync("/", (code, path, context) -> { // wakes the thread of the connection
			}, null);
		});
	}

	/**
	 * Close the client. Without a connection, the session cannot be closed, and the
	 * client would wait for it.
	 */
	@Override
	public void close() throws InterruptedException {
		if (!getState().isAlive()) {
			return;
		}
		if (this.leavesSession.getAsBoolean() || !getState().isConnected()) {
			this.cnxn.disconnect();
		}
		else {
			super.close();
		}
	}

	/**
	 * The servers. The client gives each server its share of the session timeout to reply
	 * to a new connection. With 30 s and three servers the share is 10 s, so that a
	 * single silent server would take longer than a start may take. Therefore this class
	 * reports more servers, so that each server gets half of the connection timeout: a
	 * smaller share would never be enough for servers that are only slow.
	 */
	private static final class Servers implements HostProvider {

		/** The time that a new JVM may take to connect, with TLS. */
		private static final int SHORTEST_SHARE_MILLIS = 1000;

		private final HostProvider servers;

		private final int shares;

		Servers(String connectString, int timeoutMillis, int connectionMillis) {
			this.servers = new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses());
			int shareMillis = Math.max(SHORTEST_SHARE_MILLIS, connectionMillis / Math.min(2, this.servers.size()));
			this.shares = (timeoutMillis + shareMillis - 1) / shareMillis;
		}

		@Override
		public int size() {
			return Math.max(this.servers.size(), this.shares);
		}

		@Override
		public InetSocketAddress next(long spinDelay) {
			return this.servers.next(spinDelay);
		}

		@Override
		public void onConnected() {
			this.servers.onConnected();
		}

		@Override
		public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
			return this.servers.updateServerList(addresses, current);
		}

	}

}
