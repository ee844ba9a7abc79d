package io.github.lockboot.zookeeper;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.BooleanSupplier;

import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * A client of ZooKeeper that may close its connection and leave its session to expire, so
 * that what this JVM still holds is not free at once.
 */
@SuppressWarnings("try") // a close may be interrupted
final class SessionClient extends ZooKeeper {

	private final BooleanSupplier leavesSession;

	SessionClient(String connectString, int timeoutMillis, Watcher watcher, ZKClientConfig config,
			BooleanSupplier leavesSession) throws IOException {
		super(connectString, timeoutMillis, watcher, false, config);
		this.leavesSession = leavesSession;
	}

	@Nullable SocketAddress server() {
		return testableRemoteSocketAddress();
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

}
