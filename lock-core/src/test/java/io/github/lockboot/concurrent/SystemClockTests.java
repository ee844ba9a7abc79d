package io.github.lockboot.concurrent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SystemClockTests {

	@Test
	void runsNoTaskBeforeItsTime() throws InterruptedException {
		try (SystemClock clock = new SystemClock("lock-timer")) {
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
	void detectsThatTheMachineWasSuspended() throws InterruptedException {
		AtomicLong asleepMillis = new AtomicLong();
		CountDownLatch notified = new CountDownLatch(1);
		try (SystemClock clock = new SystemClock("lock-timer", () -> System.currentTimeMillis() + asleepMillis.get())) {
			clock.onSuspended(notified::countDown);
			asleepMillis.set(TimeUnit.MINUTES.toMillis(10));
			assertThat(notified.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aTaskThatFailsAffectsNoOther() throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1);
		try (SystemClock clock = new SystemClock("lock-timer")) {
			clock.schedule(clock.nanoTime(), () -> {
				throw new IllegalStateException("on purpose");
			});
			clock.schedule(clock.nanoTime(), ran::countDown);
			assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void theHeartbeatContinuesAfterAFailure() throws InterruptedException {
		CountDownLatch looks = new CountDownLatch(4);
		LongSupplier wall = () -> {
			looks.countDown();
			if (looks.getCount() < 3) {
				throw new IllegalStateException("on purpose");
			}
			return System.currentTimeMillis();
		};
		try (SystemClock clock = new SystemClock("timer", wall)) {
			assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(clock).isNotNull();
		}
	}

	@Test
	void aTaskOfAClosedClockDoesNotRun() {
		AtomicBoolean ran = new AtomicBoolean();
		SystemClock clock = new SystemClock("timer");
		clock.close();
		clock.schedule(clock.nanoTime(), () -> ran.set(true)).cancel();
		assertThat(ran).isFalse();
	}

}
