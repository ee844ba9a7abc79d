package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.transport.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose locks are in order does not read of them in its log.
 */
@RedisTest
class QuietLogTests {

	private static final int THREADS = 8;

	private static final int SECTIONS = 100;

	private static final LockRequest ORDER = WatchedLock.patiently().waitTime(Duration.ofMinutes(2));

	private final RedisServer redis;

	QuietLogTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void aBusyRunOfTwoApplicationsLogsNothing() throws Exception {
		AtomicInteger sections = new AtomicInteger();
		try (CapturedLog log = new CapturedLog()) {
			try (RedisLockTemplate one = template(); RedisLockTemplate two = template()) {
				run(List.of(one, two), sections);
			}
			assertThat(sections).hasValue(THREADS * SECTIONS);
			assertThat(log.lines("")).isEmpty();
		}
	}

	private static void run(List<RedisLockTemplate> templates, AtomicInteger sections) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		List<Future<?>> workers = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			RedisLockTemplate locks = templates.get(i % templates.size());
			workers.add(executor.submit(() -> work(locks, sections)));
		}
		for (Future<?> worker : workers) {
			worker.get(5, TimeUnit.MINUTES);
		}
		executor.shutdown();
	}

	private static void work(RedisLockTemplate locks, AtomicInteger sections) {
		for (int i = 0; i < SECTIONS; i++) {
			switch (i % 3) {
				case 0 -> locks.execute(ORDER, () -> sections.incrementAndGet());
				case 1 -> locks.execute(ORDER.shared(),
						() -> locks.execute(ORDER.shared(), () -> sections.incrementAndGet()));
				default -> {
					LockHandle lock = locks.tryAcquire(ORDER.waitTime(Duration.ZERO));
					if (lock != null) {
						lock.close();
					}
					sections.incrementAndGet();
				}
			}
		}
	}

	private RedisLockTemplate template() {
		return new RedisLockTemplate(Applications.of(this.redis), WatchedLock.SETTINGS, List.of(new LockListener() {
		}));
	}

}
