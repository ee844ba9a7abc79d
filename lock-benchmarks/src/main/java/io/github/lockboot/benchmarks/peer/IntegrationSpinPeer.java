package io.github.lockboot.benchmarks.peer;

import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Spring Integration's registry, whose waiters ask every 100 ms by default.
 */
final class IntegrationSpinPeer implements Peer {

	private final LettuceConnectionFactory application;

	private final RedisLockRegistry registry;

	IntegrationSpinPeer(RedisAddress address) {
		this.application = address.connectionFactory();
		this.registry = new RedisLockRegistry(this.application, "benchmark");
		this.registry.setRedisLockType(RedisLockRegistry.RedisLockType.SPIN_LOCK);
	}

	@Override
	public Runnable take(String lock) {
		Lock taken = this.registry.obtain(lock);
		taken.lock();
		return taken::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.application.destroy();
	}

}
