package io.github.lockboot.benchmarks.peer;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's lock on a cluster.
 */
final class RedissonClusterPeer implements Peer {

	private final RedissonClient redisson;

	RedissonClusterPeer(RedisAddress address) {
		this.redisson = client(address);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getLock(lock);
		taken.lock();
		return taken::unlock;
	}

	private static RedissonClient client(RedisAddress address) {
		Config config = new Config();
		config.useClusterServers().addNodeAddress(address.uri());
		return Redisson.create(config);
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
