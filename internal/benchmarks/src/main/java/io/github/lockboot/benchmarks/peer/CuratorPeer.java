package io.github.lockboot.benchmarks.peer;

import java.util.HashMap;
import java.util.Map;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Curator's mutex with the retries of
 * <a href="https://curator.apache.org/docs/getting-started">its introduction</a>, one for
 * each name and thread: threads that share one are slower by far.
 */
final class CuratorPeer implements Peer {

	private final CuratorFramework client;

	private final ThreadLocal<Map<String, InterProcessMutex>> mutexes = ThreadLocal.withInitial(HashMap::new);

	CuratorPeer(String connectString) {
		this.client = connect(connectString);
	}

	static CuratorFramework connect(String connectString) {
		CuratorFramework client = CuratorFrameworkFactory.newClient(connectString,
				new ExponentialBackoffRetry(1000, 3));
		client.start();
		return client;
	}

	@Override
	public Runnable acquire(String lock) {
		InterProcessMutex mutex = this.mutexes.get()
			.computeIfAbsent(lock, (name) -> new InterProcessMutex(this.client, "/curator/" + name));
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
