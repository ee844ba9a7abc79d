package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.List;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Lock4j's template, as its auto-configuration creates it and
 * <a href="https://github.com/baomidou/lock4j">its README</a> uses it. Its waiters poll
 * every 100 ms; its leases are not renewed.
 */
final class Lock4jPeer implements Peer {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration WAIT = Duration.ofMinutes(2);

	private final LettuceConnectionFactory application;

	private final LockTemplate locks = new LockTemplate();

	Lock4jPeer(RedisAddress address) {
		this.application = address.connectionFactory();
		Lock4jProperties properties = new Lock4jProperties();
		this.locks.setProperties(properties);
		this.locks.setExecutors(
				List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(this.application), properties)));
		try {
			this.locks.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public Runnable acquire(String lock) {
		LockInfo taken = this.locks.lock(lock, LEASE.toMillis(), WAIT.toMillis());
		if (taken == null) {
			throw new IllegalStateException("Lock '" + lock + "' was not acquired within " + WAIT);
		}
		return () -> this.locks.releaseLock(taken);
	}

	@Override
	public void close() {
		this.application.destroy();
	}

}
