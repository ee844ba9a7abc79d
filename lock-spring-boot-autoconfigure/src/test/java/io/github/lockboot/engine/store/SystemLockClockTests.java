package io.github.lockboot.engine.store;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SystemLockClockTests {

	@Test
	void runsATaskNotBeforeItsTime() throws InterruptedException {
		try (SystemLockClock clock = new SystemLockClock()) {
			long atNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
			AtomicLong ranNanos = new AtomicLong();
			CountDownLatch ran = new CountDownLatch(1);
			clock.schedule(atNanos, () -> {
				ranNanos.set(clock.nanoTime());
				ran.countDown();
			});
			assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(ranNanos.get() - atNanos).isNotNegative();
		}
	}

	@Test
	void noticesThatTheMachineStoodStill() throws InterruptedException {
		AtomicLong asleepMillis = new AtomicLong();
		CountDownLatch told = new CountDownLatch(1);
		try (SystemLockClock clock = new SystemLockClock(() -> System.currentTimeMillis() + asleepMillis.get())) {
			clock.onStandstill(told::countDown);
			asleepMillis.set(TimeUnit.MINUTES.toMillis(10));
			assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aTaskThatFailsHurtsNoOther() throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1);
		try (SystemLockClock clock = new SystemLockClock()) {
			clock.schedule(clock.nanoTime(), () -> {
				throw new IllegalStateException("on purpose");
			});
			clock.schedule(clock.nanoTime(), ran::countDown);
			assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

}
