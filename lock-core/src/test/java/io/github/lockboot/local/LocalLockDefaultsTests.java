package io.github.lockboot.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Defaults of a template for requests without their own values.
 */
class LocalLockDefaultsTests {

	private static final LockDefaults SHORT_HOLDS = LockDefaults.defaults().withMaxHoldTime(Duration.ofMillis(100));

	@Test
	void lockIsLostAfterTheMaxHoldTimeOfTheTemplate() throws InterruptedException {
		CountDownLatch lost = new CountDownLatch(1);
		try (LocalLockTemplate locks = new LocalLockTemplate(SHORT_HOLDS, List.of());
				LockHandle lock = locks.acquire("a")) {
			lock.onLost(lost::countDown);
			assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void maxHoldTimeOfTheRequestTakesPrecedence() {
		try (LocalLockTemplate locks = new LocalLockTemplate(SHORT_HOLDS, List.of());
				LockHandle lock = locks.acquire(LockRequest.of("a").maxHoldTime(Duration.ofHours(1)))) {
			assertThat(lock.remainingLease()).isGreaterThan(Duration.ofSeconds(10));
		}
	}

	@Test
	void requestWithZeroHasNoMaxHoldTime() {
		try (LocalLockTemplate locks = new LocalLockTemplate(SHORT_HOLDS, List.of());
				LockHandle lock = locks.acquire(LockRequest.of("a").maxHoldTime(Duration.ZERO))) {
			assertThat(lock.remainingLease()).isGreaterThan(Duration.ofSeconds(10));
		}
	}

}
