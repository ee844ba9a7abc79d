package io.github.lockboot.benchmarks.startup;

import com.baomidou.lock.LockTemplate;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

import io.github.lockboot.annotation.DistributedLock;

/**
 * Acquires and releases the first lock of an application, with the library of the
 * application.
 */
final class FirstLock {

	private static final String NAME = "first";

	private FirstLock() {
	}

	/** Acquire and release a lock, or do nothing in an application without a library. */
	static void acquire(ApplicationContext application) {
		if (isPresent("org.redisson.api.RedissonClient")) {
			Redisson.acquire(application);
		}
		else if (isPresent("com.baomidou.lock.LockTemplate")) {
			Lock4j.acquire(application);
		}
		else if (isPresent("io.github.lockboot.LockOperations")) {
			Ours.acquire(application);
		}
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, FirstLock.class.getClassLoader());
	}

	private static final class Redisson {

		static void acquire(ApplicationContext application) {
			RLock lock = application.getBean(RedissonClient.class).getLock(NAME);
			lock.lock();
			lock.unlock();
		}

	}

	private static final class Lock4j {

		static void acquire(ApplicationContext application) {
			LockTemplate locks = application.getBean(LockTemplate.class);
			locks.releaseLock(locks.lock(NAME));
		}

	}

	private static final class Ours {

		static void acquire(ApplicationContext application) {
			application.getBean(Section.class).run();
		}

	}

	/** Has an annotation that the JVM ignores where the annotation is not present. */
	static class Section {

		@DistributedLock(name = NAME)
		public void run() {
		}

	}

}
