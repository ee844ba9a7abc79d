package io.github.lockboot.benchmarks.peer;

import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Ours on a cluster.
 */
final class OurClusterPeer implements Peer {

	private final RedisLockTemplate locks;

	OurClusterPeer(RedisAddress address) {
		this.locks = OurPeer.template(address.clusterSettings());
	}

	@Override
	public Runnable take(String lock) {
		return this.locks.acquire(lock)::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.execute(lock, section::run);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
