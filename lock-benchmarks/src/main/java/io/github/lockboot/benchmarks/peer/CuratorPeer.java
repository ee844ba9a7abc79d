package io.github.lockboot.benchmarks.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Curator's mutex, one for each name, as its documentation shows it.
 */
final class CuratorPeer implements Peer {

	private final CuratorFramework client;

	private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();

	CuratorPeer(String connectString) {
		this.client = connect(connectString);
	}

	static CuratorFramework connect(String connectString) {
		CuratorFramework client = CuratorFrameworkFactory.newClient(connectString, new ExponentialBackoffRetry(100, 3));
		client.start();
		return client;
	}

	@Override
	public Runnable acquire(String lock) {
		InterProcessMutex mutex = this.mutexes.computeIfAbsent(lock,
				(name) -> new InterProcessMutex(this.client, "/curator/" + name));
		call(mutex::acquire);
		return () -> call(mutex::release);
	}

	private static void call(CheckedCall call) {
		try {
			call.run();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

	private interface CheckedCall {

		void run() throws Exception;

	}

}
