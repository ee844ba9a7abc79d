package io.github.lockboot.engine;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

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

	private static final int SECTIONS = 1000;

	private static final int LONG_SECTIONS = 30;

	private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final LockRequest request = LockRequest.of("polled:" + UUID.randomUUID()).waitTime(Duration.ofMinutes(1));

	private final AtomicBoolean stopped = new AtomicBoolean();

	@Test
	void neitherInstanceAcquiresMoreThanTwiceAsOftenAsTheOther() {
		AtomicInteger sections = new AtomicInteger();
		AtomicInteger otherSections = new AtomicInteger();
		for (int i = 0; i < THREADS; i++) {
			this.threads.submit(() -> takeAgainAndAgain(this.locks, sections, 1_000_000));
			this.threads.submit(() -> takeAgainAndAgain(this.otherLocks, otherSections, 1_000_000));
		}
		awaitShares(sections, otherSections, SECTIONS);
	}

	/** Each instance has one caller, so nobody waits when it releases the lock. */
	@Test
	void neitherInstanceWithOneThreadAcquiresMoreThanTwiceAsOftenAsTheOther() {
		AtomicInteger sections = new AtomicInteger();
		AtomicInteger otherSections = new AtomicInteger();
		this.threads.submit(() -> takeAgainAndAgain(this.locks, sections, LONG_NANOS));
		this.threads.submit(() -> takeAgainAndAgain(this.otherLocks, otherSections, LONG_NANOS));
		awaitShares(sections, otherSections, LONG_SECTIONS);
	}

	/** A busy machine delays one of them for some turns, but not for all of them. */
	private void awaitShares(AtomicInteger sections, AtomicInteger otherSections, int least) {
		Awaitility.await().untilAsserted(() -> {
			int mine = sections.get();
			int others = otherSections.get();
			assertThat(mine + others).isGreaterThanOrEqualTo(least);
			assertThat(mine).isBetween(others / 2, others * 2);
		});
		this.stopped.set(true);
	}

	private void takeAgainAndAgain(LockOperations locks, AtomicInteger sections, long workNanos) {
		while (!this.stopped.get()) {
			locks.execute(this.request, () -> {
				work(workNanos);
				sections.incrementAndGet();
			});
		}
	}

	private static void work(long nanos) {
		long end = System.nanoTime() + nanos;
		while (end - System.nanoTime() > 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

}
