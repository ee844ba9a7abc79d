package io.github.lockboot.benchmarks.peer;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's lock, renewed by its watchdog, with its default settings.
 */
final class RedissonPeer implements Peer {

	private final RedissonClient redisson;

	RedissonPeer(RedisAddress address) {
		this.redisson = client(address);
	}

	static RedissonClient client(RedisAddress address) {
		Config config = new Config();
		config.useSingleServer().setAddress(address.uri());
		return Redisson.create(config);
	}

	@Override
	public Runnable take(String lock) {
		RLock taken = this.redisson.getLock(lock);
		taken.lock();
		return taken::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
