package io.github.lockboot.benchmarks.peer;

import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Spring Integration's registry. Its waiters poll every 100 ms by default, or are
 * notified of a release.
 */
final class IntegrationPeer implements Peer {

	private final LettuceConnectionFactory application;

	private final RedisLockRegistry registry;

	private IntegrationPeer(RedisAddress address, RedisLockType type) {
		this.application = address.connectionFactory();
		this.registry = new RedisLockRegistry(this.application, "benchmark");
		this.registry.setRedisLockType(type);
	}

	static IntegrationPeer spinning(RedisAddress address) {
		return new IntegrationPeer(address, RedisLockType.SPIN_LOCK);
	}

	static IntegrationPeer notified(RedisAddress address) {
		return new IntegrationPeer(address, RedisLockType.PUB_SUB_LOCK);
	}

	@Override
	public Runnable acquire(String lock) {
		Lock acquired = this.registry.obtain(lock);
		acquired.lock();
		return acquired::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.application.destroy();
	}

}
