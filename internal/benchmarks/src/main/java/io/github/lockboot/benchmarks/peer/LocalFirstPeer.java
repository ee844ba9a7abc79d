package io.github.lockboot.benchmarks.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock of the JVM before each lock of another peer, so that only one thread of this JVM
 * requests the other lock.
 */
final class LocalFirstPeer implements Peer {

	private final Peer peer;

	private final Map<String, Lock> locks = new ConcurrentHashMap<>();

	LocalFirstPeer(Peer peer) {
		this.peer = peer;
	}

	@Override
	public Runnable acquire(String name) {
		Lock local = this.locks.computeIfAbsent(name, (key) -> new ReentrantLock());
		local.lock();
		Runnable release = this.peer.acquire(name);
		return () -> {
			release.run();
			local.unlock();
		};
	}

	@Override
	public void close() {
		this.peer.close();
	}

}
