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
 * A client of ZooKeeper that may close its connection and leave its session to expire, so
 * that what this JVM still holds is not free at once, and that gives up a server that
 * does not reply in time for the others.
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

	/**
	 * Leave a server that is silent: the session continues on the next one. By itself the
	 * client gives a server up after two thirds of the session timeout, when all leases
	 * are over.
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

	/** Without a connection, the session can't be closed, and would be waited for. */
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
	 * The servers. The client leaves to each its share of the session timeout to reply to
	 * a new connection: of 30 s and three servers 10 s, so that a single silent one would
	 * take longer than a start may. So they seem to be more, as many as give each a share
	 * of the connection timeout.
	 */
	private static final class Servers implements HostProvider {

		/** A new JVM may take so long to connect, with TLS. */
		private static final int SHORTEST_SHARE_MILLIS = 1000;

		private final HostProvider servers;

		private final int shares;

		Servers(String connectString, int timeoutMillis, int connectionMillis) {
			this.servers = new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses());
			int shareMillis = Math.max(SHORTEST_SHARE_MILLIS, connectionMillis / this.servers.size());
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
