package io.github.lockboot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.core.task.VirtualThreadTaskExecutor;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Virtual threads that wait for a lock.
 */
@RedisTest
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTests {

	private static final int WAITERS = 10_000;

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofMinutes(3));

	/** Protected by the lock only. */
	private int counter;

	@Test
	@Timeout(240)
	void tenThousandWaitersOfOneLockAllAcquireIt(RedisServer redis) throws Exception {
		try (RedisLockTemplate locks = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(),
				List.of())) {
			CountDownLatch done = new CountDownLatch(WAITERS);
			VirtualThreadTaskExecutor executor = new VirtualThreadTaskExecutor();
			locks.execute(REQUEST, () -> {
				for (int i = 0; i < WAITERS; i++) {
					executor.execute(() -> {
						locks.execute(REQUEST, () -> this.counter++);
						done.countDown();
					});
				}
			});
			done.await();
			assertThat(this.counter).isEqualTo(WAITERS);
		}
	}

}
