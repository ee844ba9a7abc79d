package io.github.lockboot.engine;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances that compete for one lock without a queue in the store.
 */
@Timeout(120)
public abstract class PollingSharesContract extends TwoInstances {

	private static final int THREADS = 4;

	private static final int SECTIONS = 5000;

	private final LockRequest request = LockRequest.of("polled:" + UUID.randomUUID()).waitTime(Duration.ofMinutes(1));

	private final AtomicBoolean stopped = new AtomicBoolean();

	@Test
	void neitherInstanceAcquiresMoreThanTwiceAsOftenAsTheOther() {
		AtomicInteger sections = new AtomicInteger();
		AtomicInteger otherSections = new AtomicInteger();
		for (int i = 0; i < THREADS; i++) {
			this.threads.submit(() -> takeAgainAndAgain(this.locks, sections));
			this.threads.submit(() -> takeAgainAndAgain(this.otherLocks, otherSections));
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(100))
			.until(() -> sections.get() + otherSections.get() >= SECTIONS);
		this.stopped.set(true);
		assertThat(sections.get()).isBetween(otherSections.get() / 2, otherSections.get() * 2);
	}

	private void takeAgainAndAgain(LockOperations locks, AtomicInteger sections) {
		while (!this.stopped.get()) {
			locks.execute(this.request, () -> {
				workForAMillisecond();
				sections.incrementAndGet();
			});
		}
	}

	private static void workForAMillisecond() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < 1_000_000) {
			Thread.onSpinWait();
		}
	}

}
