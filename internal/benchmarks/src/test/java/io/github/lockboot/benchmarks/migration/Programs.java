package io.github.lockboot.benchmarks.migration;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import com.baomidou.lock.annotation.Lock4j;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.ScheduledLock;

/**
 * An instance of an application that has all libraries on its class path, and a program
 * for each of them.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableSchedulerLock(defaultLockAtMostFor = "10m")
@Import({ Programs.WithRedisson.class, Programs.WithLock4j.class, Programs.WithShedLock.class,
		Programs.WithSpringIntegration.class, Programs.ByHand.class })
class Programs {

	@Bean
	LettuceConnectionFactory redisConnectionFactory(DataRedisProperties redis) {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.getHost(), redis.getPort()));
	}

	@Bean
	LockProvider lockProvider(RedisConnectionFactory redis) {
		return new RedisLockProvider(redis);
	}

	@Bean(destroyMethod = "destroy")
	RedisLockRegistry lockRegistry(RedisConnectionFactory redis) {
		return new RedisLockRegistry(redis, "registry");
	}

	static class WithRedisson implements Program {

		private static final LockRequest ONCE = LockRequest.of("redisson").waitTime(Duration.ZERO);

		private final RedissonClient redisson;

		private final LockOperations locks;

		WithRedisson(RedissonClient redisson, LockOperations locks) {
			this.redisson = redisson;
			this.locks = locks;
		}

		@Override
		public void before(Runnable section) {
			RLock lock = this.redisson.getLock("redisson");
			if (lock.tryLock()) {
				try {
					section.run();
				}
				finally {
					lock.unlock();
				}
			}
		}

		@Override
		public void between(Runnable section) {
			before(() -> after(section));
		}

		@Override
		public void after(Runnable section) {
			this.locks.execute(ONCE, section::run);
		}

	}

	static class WithLock4j implements Program {

		@Override
		@Lock4j(name = "lock4j", expire = 60_000, acquireTimeout = 100)
		public void before(Runnable section) {
			section.run();
		}

		@Override
		@Lock4j(name = "lock4j", expire = 60_000, acquireTimeout = 100)
		@DistributedLock(name = "lock4j", waitTime = "100ms")
		public void between(Runnable section) {
			section.run();
		}

		@Override
		@DistributedLock(name = "lock4j", waitTime = "100ms")
		public void after(Runnable section) {
			section.run();
		}

	}

	static class WithShedLock implements Program {

		@Override
		@SchedulerLock(name = "shedlock")
		public void before(Runnable section) {
			section.run();
		}

		@Override
		@SchedulerLock(name = "shedlock")
		@ScheduledLock(name = "shedlock", minHoldTime = "1ms")
		public void between(Runnable section) {
			section.run();
		}

		@Override
		@ScheduledLock(name = "shedlock", minHoldTime = "1ms")
		public void after(Runnable section) {
			section.run();
		}

	}

	static class WithSpringIntegration implements Program {

		private final LockRegistry<?> registry;

		private final LockOperations locks;

		WithSpringIntegration(LockRegistry<?> registry, LockOperations locks) {
			this.registry = registry;
			this.locks = locks;
		}

		@Override
		public void before(Runnable section) {
			run(this.registry.obtain("integration"), section);
		}

		@Override
		public void between(Runnable section) {
			before(() -> after(section));
		}

		@Override
		public void after(Runnable section) {
			run(this.locks.asLock("integration"), section);
		}

		private static void run(Lock lock, Runnable section) {
			if (tryLock(lock)) {
				try {
					section.run();
				}
				finally {
					lock.unlock();
				}
			}
		}

		private static boolean tryLock(Lock lock) {
			try {
				return lock.tryLock(100, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	/** Its version between has the same key already; no second lock is needed. */
	static class ByHand implements Program {

		private static final LockRequest ONCE = LockRequest.of("by-hand").waitTime(Duration.ZERO);

		private static final RedisScript<Long> DELETE = RedisScript
			.of("return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0", Long.class);

		private final StringRedisTemplate redis;

		private final LockOperations locks;

		ByHand(StringRedisTemplate redis, LockOperations locks) {
			this.redis = redis;
			this.locks = locks;
		}

		@Override
		public void before(Runnable section) {
			run("by-hand", section);
		}

		@Override
		public void between(Runnable section) {
			run("lock:{by-hand}", section);
		}

		private void run(String key, Runnable section) {
			String id = UUID.randomUUID().toString();
			if (Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent(key, id, Duration.ofMinutes(1)))) {
				try {
					section.run();
				}
				finally {
					this.redis.execute(DELETE, List.of(key), id);
				}
			}
		}

		@Override
		public void after(Runnable section) {
			try (LockHandle lock = this.locks.tryAcquire(ONCE)) {
				if (lock != null) {
					section.run();
				}
			}
		}

	}

}
