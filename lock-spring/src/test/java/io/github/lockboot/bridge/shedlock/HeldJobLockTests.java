package io.github.lockboot.bridge.shedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of the hold of a job.
 */
class HeldJobLockTests {

	@AutoClose
	private final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of());

	@Test
	void aLockIsNotExtendedAfterItsLongestTimeEvenIfTheTimerIsLate() {
		ScheduledExecutorService late = Executors.newSingleThreadScheduledExecutor();
		try {
			late.execute(() -> Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true));
			long beginNanos = System.nanoTime();
			SimpleLock lock = new HeldJobLock(job(Duration.ofMillis(20)), this.locks.acquire("job"), Duration.ZERO,
					late);
			Awaitility.await().until(() -> System.nanoTime() - beginNanos > Duration.ofMillis(30).toNanos());
			assertThat(lock.extend(Duration.ofMinutes(1), Duration.ZERO)).isEmpty();
		}
		finally {
			late.shutdownNow();
		}
	}

	@Test
	void noThreadIsLeftAfterAJob() {
		new LockOperationsProvider(this.locks).lock(job(Duration.ofMinutes(1))).orElseThrow().unlock();
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().startsWith("lock-shedlock")));
	}

	private static LockConfiguration job(Duration atMost) {
		return new LockConfiguration(Instant.now(), "job", atMost, Duration.ZERO);
	}

}
